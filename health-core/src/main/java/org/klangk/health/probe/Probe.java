package org.klangk.health.probe;

import org.jspecify.annotations.Nullable;
import org.klangk.health.workspace.ProbeKind;
import org.klangk.health.workspace.WorkspaceId;
import reactor.core.publisher.Mono;

/**
 * Runs one check in its container. It returns, it never throws: what goes wrong is a {@link ProbeResult} too.
 *
 * <p>Implementations end everything the check started when its time is over, when the subscription is cancelled and when this
 * process dies. The time counts from the start of the check's process. Any number of runs may be under way, on any thread;
 * signals may arrive on any thread.
 */
@FunctionalInterface
public interface Probe {
    /** Runs the check once per subscription. */
    Mono<ProbeResult> run(ProbeRequest request);

    /**
     * Whether this run would cost as much as starting a process in the container from outside, because what makes runs cheap
     * has yet to be opened. Does not block.
     */
    default boolean opens(ProbeRequest request) {
        return false;
    }

    /**
     * Nothing more is run in this workspace for now, or what is run changed: gives up what is held for it. Runs under way are
     * not ended by this. Does not block.
     */
    default void release(WorkspaceId id) {}

    /** The kind that serves this workspace in this one's place; null while this one serves it itself. Does not block. */
    default @Nullable ProbeKind inPlace(WorkspaceId id) {
        return null;
    }
}
