package org.klangk.health.state;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Instants that may be missing. */
final class Times {
    private Times() {}

    static @Nullable Instant shift(@Nullable Instant instant, Duration jump) {
        return instant == null ? null : instant.plus(jump);
    }
}
