package org.klangk.health.server.demo;

import org.klangk.health.service.HealthService;
import org.klangk.health.workspace.WorkspaceDraft;
import reactor.core.publisher.Mono;

/** The demo's services as processes of this machine. */
final class LocalDemo implements DemoHost {
    private final HealthService health;

    LocalDemo(HealthService health) {
        this.health = health;
    }

    @Override
    public Mono<Void> prepare() {
        return Mono.empty();
    }

    @Override
    public Mono<WorkspaceDraft> place(WorkspaceDraft draft, DemoService service) {
        return Mono.just(draft.serviceCommand(service.command()));
    }

    @Override
    public Mono<Void> revive(DemoService service) {
        return health.launch(service.id()).then();
    }

    @Override
    public Mono<Void> close() {
        return Mono.empty();
    }
}
