package org.klangk.health.transport.wire;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** How times, durations and words are written for clients. */
public final class WireText {
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern(
                    "uuuu-MM-dd'T'HH:mm:ss.SSS'Z'", Locale.ROOT)
            .withZone(ZoneOffset.UTC);

    private WireText() {}

    /** RFC 3339, UTC, milliseconds. */
    public static @Nullable String time(@Nullable Instant instant) {
        return instant == null ? null : TIME.format(instant);
    }

    /** A constant's name in lower case. */
    public static @Nullable String word(@Nullable Enum<?> constant) {
        return constant == null ? null : constant.name().toLowerCase(Locale.ROOT);
    }
}
