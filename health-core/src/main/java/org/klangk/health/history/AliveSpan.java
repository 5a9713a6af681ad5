package org.klangk.health.history;

import java.time.Instant;

/**
 * A time in which the monitor was alive.
 *
 * @param from its start
 * @param to when it was last heard of, at most {@value #MARK_SECONDS} s before its end
 */
public record AliveSpan(Instant from, Instant to) {
    /** How often it is noted, in seconds. */
    public static final int MARK_SECONDS = 30;
}
