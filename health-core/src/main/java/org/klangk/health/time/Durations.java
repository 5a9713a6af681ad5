package org.klangk.health.time;

import java.time.Duration;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Durations as people write them. */
public final class Durations {
    private static final Pattern DURATION = Pattern.compile("(\\d{1,9})(?:\\.(\\d{1,3}))?(ms|s|m|h|d)?");

    private Durations() {}

    /** {@code 30s}, and {@code 500ms} where it is not whole seconds; what is below a millisecond is left out. */
    public static String text(Duration duration) {
        long ms = duration.toMillis();
        return ms % 1000 == 0 ? ms / 1000 + "s" : ms + "ms";
    }

    /** Reads {@code 30}, {@code 30s}, {@code 500ms}, {@code 2m}, {@code 1h}, {@code 7d}; a bare number is seconds. Empty when it is none. */
    public static Optional<Duration> parse(String text) {
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
