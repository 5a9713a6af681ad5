package org.klangk.health.server.bench;

import java.util.Arrays;

/** Durations in nanoseconds, and what they come to in milliseconds. Thread-safe. */
final class Latencies {
    private long[] nanos = new long[1024];
    private int count;

    synchronized void add(long duration) {
        if (count == nanos.length) {
            nanos = Arrays.copyOf(nanos, 2 * count);
        }
        nanos[count] = duration;
        count++;
    }

    /** The duration that this share of all do not exceed. */
    synchronized double percentile(double share) {
        long[] sorted = Arrays.copyOf(nanos, count);
        Arrays.sort(sorted);
        return count == 0 ? Double.NaN : sorted[(int) Math.min(count - 1, Math.ceil(share * count) - 1)] / 1e6;
    }

    synchronized int count() {
        return count;
    }
}
