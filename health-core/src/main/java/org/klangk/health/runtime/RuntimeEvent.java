package org.klangk.health.runtime;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a runtime has to say. The events are hints of where to look; what counts is what is seen there. */
public sealed interface RuntimeEvent {
    /**
     * Every container there is. Times may be coarser than those of {@link ContainerRuntime#inspect}.
     *
     * @param containers all of them, running or not
     */
    record Listed(List<ContainerInfo> containers) implements RuntimeEvent {}

    /**
     * Something happened to a container.
     *
     * @param id its full id
     * @param name its name
     * @param death how it died, null when that is not what happened
     */
    record Touched(String id, String name, @Nullable Death death) implements RuntimeEvent {}

    /**
     * A death as the event tells it, for when the container is gone or runs again by the time somebody looks.
     *
     * @param exitCode its exit code
     * @param at when
     * @param requested whether somebody had asked for it to stop
     */
    record Death(int exitCode, Instant at, boolean requested) {}

    /**
     * The runtime does not answer.
     *
     * @param message what was seen
     */
    record Unreachable(String message) implements RuntimeEvent {}

    /** The runtime answers. */
    record Reachable() implements RuntimeEvent {}
}
