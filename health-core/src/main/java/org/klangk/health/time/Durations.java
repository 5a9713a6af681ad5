package org.klangk.health.time;

import java.time.Duration;

/** Durations as people write them. */
public final class Durations {
    private Durations() {}

    /** {@code 30s}, and {@code 500ms} where it is not whole seconds; what is below a millisecond is left out. */
    public static String text(Duration duration) {
        long ms = duration.toMillis();
        return ms % 1000 == 0 ? ms / 1000 + "s" : ms + "ms";
    }
}
