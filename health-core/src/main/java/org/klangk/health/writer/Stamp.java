package org.klangk.health.writer;

import java.time.Instant;

/**
 * The time at which the writer takes a command.
 *
 * @param at the event time
 * @param nanos the monotonic reading that belongs to it
 */
public record Stamp(Instant at, long nanos) {

    /** The event time of an earlier monotonic reading, by the wall clock as it is now. */
    public Instant of(long earlierNanos) {
        return at.minusNanos(Math.max(0, nanos - earlierNanos));
    }
}
