package org.klangk.health.server.demo;

import java.time.Duration;
import org.klangk.health.service.HealthService;
import org.klangk.health.service.NoSuchWorkspaceException;
import org.klangk.health.transport.podman.PodmanContainers;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Runs the demo on a health service: its workspaces, and a new life for the one that dies. Once. */
public final class Demo {
    private static final Duration REVIVED_EVERY = Duration.ofSeconds(20);
    private static final Logger log = LoggerFactory.getLogger(Demo.class);

    private final HealthService health;
    private final DemoHost host;
    private final Disposable.Swap reviving = Disposables.swap();

    private Demo(HealthService health, DemoHost host) {
        this.health = health;
        this.host = host;
    }

    /** The demo in containers. */
    public static Demo on(HealthService health, PodmanContainers containers) {
        return new Demo(health, new PodmanDemo(containers));
    }

    /** The demo as processes of this machine. */
    public static Demo locally(HealthService health) {
        return new Demo(health, new LocalDemo(health));
    }

    /** Starts the services and watches them; fails with a reason for a person. Signals arrive on any thread. */
    public Mono<Void> start() {
        return host.prepare()
                .thenMany(Flux.fromArray(DemoService.values()))
                .concatMap(service -> host.place(service.draft(), service).flatMap(health::define))
                .then(Mono.fromRunnable(() -> reviving.update(Flux.interval(REVIVED_EVERY)
                        .onBackpressureDrop()
                        .concatMap(tick -> host.revive(DemoService.MORTAL).onErrorResume(this::note), 1)
                        .subscribe())));
    }

    private Mono<Void> note(Throwable error) {
        log.warn("{} was not started again: {}", DemoService.MORTAL.title(), error.toString());
        return Mono.empty();
    }

    /** Ends the watch and removes the services. */
    public Mono<Void> stop() {
        return Flux.defer(() -> {
                    reviving.dispose();
                    return Flux.fromArray(DemoService.values());
                })
                .concatMap(service ->
                        health.remove(service.id()).onErrorResume(NoSuchWorkspaceException.class, e -> Mono.empty()))
                .then(host.close());
    }
}
