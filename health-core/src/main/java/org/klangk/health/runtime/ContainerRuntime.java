package org.klangk.health.runtime;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.klangk.health.event.ContainerRun;
import org.klangk.health.probe.Probe;
import org.klangk.health.workspace.InvalidWorkspaceException;
import org.klangk.health.workspace.ProbeKind;
import org.klangk.health.workspace.Workspace;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * What runs the containers. Nothing here changes a container because of its health; one that this runtime starts itself is
 * started and ended on request. Signals may arrive on any thread.
 */
public interface ContainerRuntime {
    /**
     * The name or id of the container that a workspace means; null when it means none. Pure.
     */
    default @Nullable String ref(Workspace workspace) {
        return workspace.container();
    }

    /**
     * Refuses a definition that this runtime cannot serve. Pure.
     *
     * @throws InvalidWorkspaceException naming every field that cannot be accepted
     */
    default void require(Workspace workspace) {}

    /** Whether a run of the workspace's container is a run of its service, so that both start at the same moment. Pure. */
    default boolean runsTheService(Workspace workspace) {
        return false;
    }

    /**
     * Starts what the workspace's service runs in, where this runtime makes that itself and it does not run; completes when it is
     * started. Fails with {@link RefusedException} and a reason for a person when it cannot be.
     */
    default Mono<Void> launch(Workspace workspace) {
        return Mono.empty();
    }

    /**
     * Starts the workspace's service command in a container that runs, where this runtime does that apart from the container;
     * empty where it does not. Fails with {@link RefusedException} when it cannot be started there, with anything else when
     * it is not known whether it was. To be called for one workspace one after the other.
     *
     * @return whether it was started now; false when it ran
     */
    default Mono<Boolean> serve(Workspace workspace, ContainerRun run) {
        return Mono.empty();
    }

    /** Ends what {@link #launch} and {@link #serve} started; completes when nothing of it is left. */
    default Mono<Void> release(Workspace workspace) {
        return Mono.empty();
    }

    /**
     * Lists, then tells what happens, and lists again whenever something may have been missed. Goes on for ever: an outage is
     * told by {@link RuntimeEvent.Unreachable} and its end by {@link RuntimeEvent.Reachable}.
     */
    Flux<RuntimeEvent> watch();

    /**
     * The container of this name or id as it is now; empty when there is none. Fails with {@link RefusedException} when the
     * runtime does not want to say, with anything else when it does not answer.
     */
    Mono<ContainerInfo> inspect(String nameOrId);

    /**
     * The end of what the workspace's service printed, where this runtime started it and keeps that; empty where it does not.
     *
     * @param bytes at most so many
     */
    default Mono<byte[]> output(Workspace workspace, int bytes) {
        return Mono.empty();
    }

    /**
     * The labels that are for this program and that a container was given when it was made, rather than by its image; empty where
     * the runtime has no labels.
     */
    default Mono<Map<String, String>> labels(ContainerInfo container) {
        return Mono.just(Map.of());
    }

    /** The probe of a kind; where the runtime has no such probe, the one that serves in its place. */
    Probe probe(ProbeKind kind);

    /** Ends what this runtime holds. */
    Mono<Void> close();
}
