package org.klangk.health.service;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.klangk.health.event.Component;
import org.klangk.health.event.ContainerRun;
import org.klangk.health.pipeline.Tracked;
import org.klangk.health.runtime.ContainerInfo;
import org.klangk.health.runtime.ContainerRuntime;
import org.klangk.health.runtime.Reconciliation;
import org.klangk.health.runtime.RefusedException;
import org.klangk.health.runtime.RuntimeEvent;
import org.klangk.health.state.WorkspaceHealth;
import org.klangk.health.workspace.WorkspaceId;
import org.klangk.health.writer.Writer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Scheduler;

/**
 * Keeps what is known of containers true. A runtime's event says only where to look; looks happen one after the other, so that
 * an older look is never applied after a newer one.
 */
final class ContainerObserver {
    private static final Logger log = LoggerFactory.getLogger(ContainerObserver.class);
    /** A container that an event called dead may still be shown as running for a moment. */
    private static final Duration AGAIN = Duration.ofMillis(100);

    private static final int LOOKS = 10;

    /** A look that somebody waits for. */
    private record Look(WorkspaceId id, Sinks.Empty<Void> done) {}

    private final ContainerRuntime runtime;
    private final Writer writer;
    private final Scheduler scheduler;
    private final Consumer<Boolean> reachable;
    private final Consumer<RuntimeEvent> happened;
    private final Sinks.Many<Look> looks = Sinks.many().unicast().onBackpressureBuffer();
    private final Sinks.Empty<Void> firstList = Sinks.empty();
    private final Disposable.Swap subscription = Disposables.swap();
    private volatile boolean listed;
    private volatile @Nullable Instant unwatchedSince;

    /** @param happened gets every event of the runtime, once what it says of known workspaces was looked at */
    ContainerObserver(
            ContainerRuntime runtime,
            Writer writer,
            Scheduler scheduler,
            Consumer<Boolean> reachable,
            Consumer<RuntimeEvent> happened) {
        this.runtime = runtime;
        this.writer = writer;
        this.scheduler = scheduler;
        this.reachable = reachable;
        this.happened = happened;
    }

    /**
     * Begins to observe.
     *
     * @param lastAlive when an earlier monitor of the same workspaces was last known to be alive, null when there was none
     */
    void start(@Nullable Instant lastAlive) {
        unwatchedSince = lastAlive;
        Flux<Mono<Void>> work = Flux.merge(
                runtime.watch().map(event -> handle(event).doFinally(end -> happened.accept(event))),
                looks.asFlux().map(this::handle));
        subscription.update(work.concatMap(one -> one.onErrorResume(this::note))
                .subscribe(none -> {}, error -> log.error("containers are no longer observed", error)));
    }

    private Mono<Void> note(Throwable error) {
        log.debug("a container could not be looked at: {}", error.toString());
        return Mono.empty();
    }

    boolean listed() {
        return listed;
    }

    /** Completes when the containers were listed for the first time. */
    Mono<Void> firstList() {
        return firstList.asMono();
    }

    /** Looks at the workspace's container now; completes when that was done, whatever was seen. On the scheduler. */
    Mono<Void> look(WorkspaceId id) {
        return Mono.<Void>defer(() -> {
                    Look look = new Look(id, Sinks.empty());
                    Sinks.EmitResult asked = looks.tryEmitNext(look);
                    if (asked == Sinks.EmitResult.FAIL_CANCELLED) {
                        // Nobody observes any more: there is nothing to wait for.
                        return Mono.empty();
                    }
                    asked.orThrow();
                    return look.done().asMono();
                })
                .subscribeOn(scheduler);
    }

    void stop() {
        subscription.dispose();
    }

    private Mono<Void> handle(Look look) {
        return Mono.defer(() -> {
                    WorkspaceHealth health = Commands.health(writer.board(), look.id());
                    return health == null ? Mono.<Void>empty() : lookAt(health, null);
                })
                .doFinally(end -> look.done().tryEmitEmpty());
    }

    private Mono<Void> handle(RuntimeEvent event) {
        if (event instanceof RuntimeEvent.Listed list) {
            return lookWhere(health -> !Reconciliation.agrees(health, listed(list.containers(), health)), null)
                    .then(Mono.fromRunnable(() -> {
                        listed = true;
                        unwatchedSince = null;
                        firstList.tryEmitEmpty();
                    }));
        }
        if (event instanceof RuntimeEvent.Touched touched) {
            return lookWhere(health -> isMeant(health, touched), touched);
        }
        String trouble = event instanceof RuntimeEvent.Unreachable down ? down.message() : null;
        return writer.submit(Commands.component(Component.RUNTIME, trouble))
                .doOnNext(changed -> reachable.accept(trouble == null))
                .then();
    }

    private boolean isMeant(WorkspaceHealth health, RuntimeEvent.Touched touched) {
        var run = health.container().run();
        String ref = runtime.ref(health.workspace());
        return (run != null && run.containerId().equals(touched.id()))
                || (ref != null && ContainerInfo.isMeantBy(ref, touched.id(), touched.name()));
    }

    private @Nullable ContainerInfo listed(List<ContainerInfo> containers, WorkspaceHealth health) {
        String ref = runtime.ref(health.workspace());
        return ref == null
                ? null
                : containers.stream()
                        .filter(one -> one.isMeantBy(ref))
                        .findFirst()
                        .orElse(null);
    }

    private Mono<Void> lookWhere(Predicate<WorkspaceHealth> where, RuntimeEvent.@Nullable Touched touched) {
        return writer.snapshot()
                .flatMapIterable(snapshot -> snapshot.workspaces().stream()
                        .map(Tracked::health)
                        .filter(where)
                        .toList())
                .concatMap(health -> lookAt(health, touched).onErrorResume(RefusedException.class, this::note))
                // A runtime that does not answer now will list again when it does.
                .then()
                .onErrorResume(this::note);
    }

    private Mono<Void> lookAt(WorkspaceHealth health, RuntimeEvent.@Nullable Touched touched) {
        String ref = runtime.ref(health.workspace());
        ContainerRun run = health.container().run();
        RuntimeEvent.Death death = touched == null || !diedIn(run, touched) ? null : touched.death();
        Mono<Optional<ContainerInfo>> seen = ref == null
                ? Mono.just(Optional.empty())
                : runtime.inspect(ref).map(Optional::of).defaultIfEmpty(Optional.empty());
        Mono<Optional<ContainerInfo>> settled = death == null
                ? seen
                : seen.filter(info ->
                                !Objects.equals(info.map(ContainerInfo::run).orElse(null), run))
                        .repeatWhenEmpty(LOOKS, again -> again.delayElements(AGAIN, scheduler))
                        .onErrorResume(IllegalStateException.class, e -> seen);
        return settled.flatMap(info -> writer.submit(
                        Commands.observe(runtime, health.id(), ref, info.orElse(null), death, unwatchedSince)))
                .then();
    }

    /** Whether the event tells the death of this run, rather than of an earlier one or of another container. */
    private static boolean diedIn(@Nullable ContainerRun run, RuntimeEvent.Touched touched) {
        RuntimeEvent.Death death = touched.death();
        return run != null
                && death != null
                && run.containerId().equals(touched.id())
                && !death.at().isBefore(run.startedAt());
    }
}
