package org.klangk.health.runtime;

import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.klangk.health.event.ContainerRun;
import org.klangk.health.event.StopCause;

/**
 * A container as it was when it was looked at.
 *
 * @param id its full id
 * @param name its name
 * @param status what it does
 * @param startedAt when its current or last run began, null when it never ran
 * @param stopCause why its last run ended, null while it runs and when it never ran
 * @param endedAt when its last run ended, null while it runs and when that is not known
 * @param labels those of its labels that are for this program, whoever gave it them
 */
public record ContainerInfo(
        String id,
        String name,
        Status status,
        @Nullable Instant startedAt,
        @Nullable StopCause stopCause,
        @Nullable Instant endedAt,
        Map<String, String> labels) {

    public ContainerInfo {
        labels = Map.copyOf(labels);
    }

    /** One without labels. */
    public ContainerInfo(
            String id,
            String name,
            Status status,
            @Nullable Instant startedAt,
            @Nullable StopCause stopCause,
            @Nullable Instant endedAt) {
        this(id, name, status, startedAt, stopCause, endedAt, Map.of());
    }

    /** One of which it is not known that or when it ended. */
    public ContainerInfo(
            String id, String name, Status status, @Nullable Instant startedAt, @Nullable StopCause stopCause) {
        this(id, name, status, startedAt, stopCause, null, Map.of());
    }

    /** What a container does. */
    public enum Status {
        RUNNING,
        PAUSED,
        STOPPED
    }

    private static final int SHORTEST_ID = 12;

    /** Whether a workspace that names its container {@code ref} means this one. */
    public boolean isMeantBy(String ref) {
        return isMeantBy(ref, id, name);
    }

    /** Whether a workspace that names its container {@code ref} means the one of this id and name. */
    public static boolean isMeantBy(String ref, String id, String name) {
        return name.equals(ref) || (ref.length() >= SHORTEST_ID && id.startsWith(ref));
    }

    /** Its run, null while it does not run. */
    public @Nullable ContainerRun run() {
        return status == Status.STOPPED || startedAt == null ? null : new ContainerRun(id, startedAt);
    }
}
