package org.klangk.health.server.monitor;

import java.time.Duration;
import java.util.function.IntUnaryOperator;

/**
 * How long to wait before trying again: twice as long each time up to a limit, and then any part of it, so that many that lost the
 * same server do not come back together. Not thread-safe.
 */
public final class Backoff {
    private static final Duration FIRST = Duration.ofSeconds(1);

    private final Duration most;
    private final IntUnaryOperator random;
    private int failures;

    /**
     * Before any failure.
     *
     * @param most the longest wait
     * @param random a number from 0 to its argument - 1
     */
    public Backoff(Duration most, IntUnaryOperator random) {
        this.most = most;
        this.random = random;
    }

    /** Failures since the last success. */
    public int failures() {
        return failures;
    }

    /** Counts a failure; how long to wait now. */
    public Duration failed() {
        long cap = Math.min(most.toMillis(), FIRST.toMillis() << Math.min(failures, 20));
        failures++;
        return Duration.ofMillis(random.applyAsInt((int) cap + 1));
    }

    /** It worked: the count begins anew. */
    public void succeeded() {
        failures = 0;
    }
}
