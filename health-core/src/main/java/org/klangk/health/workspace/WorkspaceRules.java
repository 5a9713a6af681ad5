package org.klangk.health.workspace;

import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.klangk.health.workspace.InvalidWorkspaceException.Violation;

/** What each field of a definition accepts; each rule adds its violation to a list, so that one answer names them all. */
final class WorkspaceRules {
    private static final Duration DAY = Duration.ofDays(1);
    private static final Pattern NAME = Pattern.compile("[^\\p{Cntrl}\\p{Cs}/]{1,63}");
    private static final Pattern CONTAINER = Pattern.compile("[a-zA-Z0-9][a-zA-Z0-9_.-]{0,254}");
    private static final Pattern IMAGE = Pattern.compile("[a-zA-Z0-9][a-zA-Z0-9_.:/@-]{0,254}");
    private static final int MAX_LINE = 255;

    private WorkspaceRules() {}

    static String name(@Nullable String name, List<Violation> wrong) {
        if (name == null || name.isBlank()) {
            wrong.add(new Violation("name", "is missing; 1 to 63 characters are accepted"));
            return "";
        }
        if (!NAME.matcher(name).matches() || !name.equals(name.strip())) {
            wrong.add(
                    new Violation(
                            "name",
                            "is '" + printable(name)
                                    + "'; 1 to 63 characters without '/', control characters or space at the ends are accepted"));
        } else if (WorkspaceId.looksGenerated(name)) {
            wrong.add(new Violation("name", "is '" + name + "'; a name shaped like an id is not accepted"));
        }
        return name;
    }

    static @Nullable HealthCheck check(@Nullable String command, List<Violation> wrong) {
        if (command == null || command.isEmpty()) {
            return null;
        }
        try {
            return new HealthCheck(command);
        } catch (IllegalArgumentException e) {
            wrong.add(new Violation("health_check", String.valueOf(e.getMessage())));
            return null;
        }
    }

    static CheckPolicy policy(CheckPolicy policy, List<Violation> wrong) {
        between("interval", policy.interval(), Duration.ofSeconds(1), DAY, wrong);
        between("timeout", policy.timeout(), Duration.ofMillis(1), Duration.ofMinutes(5), wrong);
        between("startup_grace", policy.startupGrace(), Duration.ZERO, DAY, wrong);
        between("start_interval", policy.startInterval(), Duration.ofMillis(100), DAY, wrong);
        count("failures_before_unhealthy", policy.failuresBeforeUnhealthy(), wrong);
        count("successes_before_healthy", policy.successesBeforeHealthy(), wrong);
        return policy;
    }

    static void container(@Nullable String ref, List<Violation> wrong) {
        if (ref != null && !ref.isEmpty() && !CONTAINER.matcher(ref).matches()) {
            wrong.add(new Violation(
                    "container",
                    "is '" + printable(ref) + "'; a container's name or id, [a-zA-Z0-9][a-zA-Z0-9_.-]*, is accepted"));
        }
    }

    static void image(@Nullable String reference, List<Violation> wrong) {
        if (reference != null
                && !reference.isEmpty()
                && !IMAGE.matcher(reference).matches()) {
            wrong.add(new Violation(
                    "image",
                    "is '" + printable(reference)
                            + "'; an image's name such as docker.io/library/debian:12 is accepted"));
        }
    }

    /** A container is either named or made of an image, and stays what it is for as long as the workspace is there. */
    static void made(
            @Nullable Workspace present, @Nullable String container, @Nullable String image, List<Violation> wrong) {
        String made = present == null || present.image() == null ? null : present.container();
        if (made != null && image == null) {
            wrong.add(new Violation("image", "is missing; the container of this workspace was made of one"));
        } else if (image != null && container != null && !container.equals(made)) {
            wrong.add(new Violation(
                    "container", "is '" + printable(container) + "'; either an existing one or an image is accepted"));
        }
    }

    static @Nullable String line(String field, @Nullable String text, List<Violation> wrong) {
        if (text != null && (text.length() > MAX_LINE || text.chars().anyMatch(Character::isISOControl))) {
            wrong.add(new Violation(
                    field,
                    "is '" + printable(text) + "'; at most " + MAX_LINE
                            + " characters without control characters are accepted"));
        }
        return text == null || text.isEmpty() ? null : text;
    }

    static void path(String field, @Nullable String path, List<Violation> wrong) {
        if (path == null || path.isEmpty()) {
            return;
        }
        if (!path.startsWith("/") || path.length() > 4096 || path.chars().anyMatch(Character::isISOControl)) {
            wrong.add(new Violation(
                    field, "is '" + printable(path) + "'; an absolute path of at most 4096 characters is accepted"));
        }
    }

    static void command(String field, @Nullable String command, List<Violation> wrong) {
        if (command != null && !command.isEmpty()) {
            try {
                new HealthCheck(command);
            } catch (IllegalArgumentException e) {
                wrong.add(new Violation(field, String.valueOf(e.getMessage())));
            }
        }
    }

    private static void between(String field, Duration value, Duration least, Duration most, List<Violation> wrong) {
        if (value.compareTo(least) < 0 || value.compareTo(most) > 0) {
            wrong.add(new Violation(
                    field, "is " + text(value) + "; " + text(least) + " to " + text(most) + " are accepted"));
        }
    }

    private static void count(String field, int value, List<Violation> wrong) {
        if (value < 1 || value > 1000) {
            wrong.add(new Violation(field, "is " + value + "; 1 to 1000 are accepted"));
        }
    }

    /** A duration as configuration accepts it: {@code 500ms}, {@code 30s}, {@code 2m}. */
    private static String text(Duration value) {
        long ms = value.toMillis();
        if (ms % 60_000 == 0 && ms != 0) {
            return ms / 60_000 + "m";
        }
        return ms % 1000 == 0 ? ms / 1000 + "s" : ms + "ms";
    }

    private static String printable(String text) {
        String clean = text.replaceAll("[\\p{Cntrl}\\p{Cs}]", "?");
        return clean.length() > 80 ? clean.substring(0, 80) + "…" : clean;
    }
}
