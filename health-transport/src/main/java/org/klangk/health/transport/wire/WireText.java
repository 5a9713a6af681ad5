package org.klangk.health.transport.wire;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** How times, durations and words are written for clients. */
public final class WireText {
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern(
                    "uuuu-MM-dd'T'HH:mm:ss.SSS'Z'", Locale.ROOT)
            .withZone(ZoneOffset.UTC);
    private static final Pattern DURATION = Pattern.compile("(\\d{1,9})(?:\\.(\\d{1,3}))?(ms|s|m|h|d)?");

    private WireText() {}

    /** RFC 3339, UTC, milliseconds. */
    public static @Nullable String time(@Nullable Instant instant) {
        return instant == null ? null : TIME.format(instant);
    }

    /** A constant's name in lower case. */
    public static @Nullable String word(@Nullable Enum<?> constant) {
        return constant == null ? null : constant.name().toLowerCase(Locale.ROOT);
    }

    /** Reads {@code 30}, {@code 30s}, {@code 500ms}, {@code 2m}, {@code 1h}, {@code 7d}; a bare number is seconds. Empty when it is none. */
    public static Optional<Duration> parseDuration(String text) {
        Matcher matcher = DURATION.matcher(text.strip());
        if (!matcher.matches()) {
            return Optional.empty();
        }
        String fraction = matcher.group(2) == null ? "" : matcher.group(2);
        long thousandths = Long.parseLong(matcher.group(1) + (fraction + "000").substring(0, 3));
        String unit = matcher.group(3) == null ? "s" : matcher.group(3);
        return switch (unit) {
            case "ms" -> fraction.isEmpty() ? Optional.of(Duration.ofMillis(thousandths / 1000)) : Optional.empty();
            case "m" -> Optional.of(Duration.ofMillis(thousandths * 60));
            case "d" -> Optional.of(Duration.ofMillis(thousandths * 86_400));
            case "h" -> Optional.of(Duration.ofMillis(thousandths * 3600));
            default -> Optional.of(Duration.ofMillis(thousandths));
        };
    }
}
