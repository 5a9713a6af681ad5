package org.klangk.health.server.demo;

import org.klangk.health.workspace.WorkspaceDraft;
import reactor.core.publisher.Mono;

/** Where the services of the demo run. */
interface DemoHost {
    /** Makes ready for these services. Fails with a reason for a person where something is missing. */
    Mono<Void> prepare();

    /** Makes the service run, where the workspace does not do that itself, and completes its definition. */
    Mono<WorkspaceDraft> place(WorkspaceDraft draft, DemoService service);

    /** Starts a service again that has died. */
    Mono<Void> revive(DemoService service);

    /** Ends and removes what was made. */
    Mono<Void> close();
}
