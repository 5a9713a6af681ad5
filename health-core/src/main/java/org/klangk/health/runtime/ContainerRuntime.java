package org.klangk.health.runtime;

import org.klangk.health.probe.Probe;
import org.klangk.health.workspace.ProbeKind;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** What runs the containers. Nothing here changes a container. Signals may arrive on any thread. */
public interface ContainerRuntime {
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

    /** The probe of a kind; where the runtime has no such probe, the one that serves in its place. */
    Probe probe(ProbeKind kind);

    /** Ends what this runtime holds. */
    Mono<Void> close();
}
