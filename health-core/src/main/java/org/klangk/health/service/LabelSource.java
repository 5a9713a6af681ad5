package org.klangk.health.service;

import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.klangk.health.pipeline.Tracked;
import org.klangk.health.runtime.ContainerInfo;
import org.klangk.health.runtime.ContainerRuntime;
import org.klangk.health.runtime.RuntimeEvent;
import org.klangk.health.state.HealthState;
import org.klangk.health.state.StateSince;
import org.klangk.health.state.WorkspaceHealth;
import org.klangk.health.time.HealthClock;
import org.klangk.health.workspace.Source;
import org.klangk.health.writer.Writer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/**
 * Watches containers that ask for it by their labels. One that runs is a workspace's from then on, and so is another of the same
 * name; one that is gone for too long is not watched any more. What a container does is looked at one after the other.
 */
final class LabelSource {
    private static final Logger log = LoggerFactory.getLogger(LabelSource.class);

    private final ContainerRuntime runtime;
    private final HealthService service;
    private final Writer writer;
    private final HealthClock clock;
    private final Duration retention;
    private final Sinks.Many<RuntimeEvent> events = Sinks.many().unicast().onBackpressureBuffer();
    private final Disposable.Swap subscription = Disposables.swap();

    /** @param retention how long a container may be gone before its workspace ends */
    LabelSource(ContainerRuntime runtime, HealthService service, Writer writer, HealthClock clock, Duration retention) {
        this.runtime = runtime;
        this.service = service;
        this.writer = writer;
        this.clock = clock;
        this.retention = retention;
    }

    void start() {
        subscription.update(events.asFlux()
                .concatMap(event -> handle(event).onErrorResume(LabelSource::note))
                .subscribe(none -> {}, error -> log.error("labels are no longer looked at", error)));
    }

    void stop() {
        subscription.dispose();
    }

    /** Takes note of an event; on the thread that the runtime's events come on. */
    void happened(RuntimeEvent event) {
        events.tryEmitNext(event);
    }

    private static Mono<Void> note(Throwable error) {
        log.debug("labels could not be looked at: {}", error.toString());
        return Mono.empty();
    }

    private Mono<Void> handle(RuntimeEvent event) {
        if (event instanceof RuntimeEvent.Touched touched) {
            return runtime.inspect(touched.id()).flatMap(this::adopt);
        }
        return event instanceof RuntimeEvent.Listed listed
                ? Flux.fromIterable(listed.containers())
                        .concatMap(one -> adopt(one).onErrorResume(LabelSource::note))
                        .then(retire(listed.containers()))
                : Mono.empty();
    }

    private Mono<Void> adopt(ContainerInfo container) {
        if (container.run() == null || !container.labels().containsKey(Labels.WORKSPACE)) {
            return Mono.empty();
        }
        return runtime.labels(container)
                .flatMap(labels -> Mono.justOrEmpty(Labels.draft(container.name(), labels)))
                .flatMap(service::declare)
                .then()
                .onErrorResume(IllegalArgumentException.class, e -> refused(container, e))
                .onErrorResume(NameTakenException.class, e -> refused(container, e));
    }

    private static Mono<Void> refused(ContainerInfo container, Exception error) {
        log.warn("container {} is not watched as its labels ask: {}", container.name(), error.getMessage());
        return Mono.empty();
    }

    private Mono<Void> retire(List<ContainerInfo> containers) {
        Set<String> there = new HashSet<>();
        containers.forEach(container -> there.add(container.name()));
        Instant gone = clock.wall().get().minus(retention);
        return writer.snapshot()
                .flatMapIterable(snapshot -> snapshot.workspaces().stream()
                        .map(Tracked::health)
                        .filter(health -> health.workspace().source() == Source.LABEL)
                        .filter(health ->
                                !there.contains(health.workspace().container()) && stoppedBefore(health, gone))
                        .toList())
                .concatMap(health -> service.remove(health.id(), new Actor("label", Integer.MAX_VALUE)))
                .then();
    }

    private boolean stoppedBefore(WorkspaceHealth health, Instant then) {
        StateSince state = health.stateAt(clock.wall().get());
        return state.state() == HealthState.STOPPED && state.since().isBefore(then);
    }
}
