package org.klangk.health.transport.journal;

import java.time.Duration;

/**
 * How long the past is kept.
 *
 * @param results runs of results, counted from their last one
 * @param history everything else, and frames
 * @param maxBytes how large all of it may be; the oldest goes first
 */
public record Retention(Duration results, Duration history, long maxBytes) {
    /** Results for 7 days, everything else for 90, together at most 1 GiB. */
    public static Retention standard() {
        return new Retention(Duration.ofDays(7), Duration.ofDays(90), 1L << 30);
    }
}
