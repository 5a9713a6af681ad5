package org.klangk.health.service;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.klangk.health.event.ContainerResumed;
import org.klangk.health.event.ContainerRun;
import org.klangk.health.event.ContainerStarted;
import org.klangk.health.pipeline.Commit;
import org.klangk.health.pipeline.Step;
import org.klangk.health.runtime.ContainerRuntime;
import org.klangk.health.runtime.RefusedException;
import org.klangk.health.state.WorkspaceHealth;
import org.klangk.health.workspace.Workspace;
import org.klangk.health.workspace.WorkspaceId;
import org.klangk.health.writer.Writer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Scheduler;

/**
 * Has service commands started in containers that have just begun to run, and says when they are. One after the other for a
 * workspace; what is asked is looked at when its turn comes, so that it is never of a run that is over.
 */
final class ServiceLauncher {
    private static final int LANES = 4;
    /** How often it is tried again, each time twice as much later, where it is not known whether a service was started. */
    private static final int ATTEMPTS = 5;
    /** How long the start of one may hold up others. */
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private static final Logger log = LoggerFactory.getLogger(ServiceLauncher.class);

    /** A start that somebody wants, and how often it was tried in vain. */
    private record Ask(WorkspaceId id, int failures) {}

    private final ContainerRuntime runtime;
    private final Writer writer;
    private final Scheduler scheduler;
    private final Sinks.Many<Ask> asked = Sinks.many().unicast().onBackpressureBuffer();
    private final Disposable.Swap subscription = Disposables.swap();

    /** @param scheduler has one thread */
    ServiceLauncher(ContainerRuntime runtime, Writer writer, Scheduler scheduler) {
        this.runtime = runtime;
        this.writer = writer;
        this.scheduler = scheduler;
    }

    void start() {
        subscription.update(asked.asFlux()
                .groupBy(ask -> Math.floorMod(ask.id().hashCode(), LANES))
                .flatMap(lane -> lane.concatMap(this::serve), LANES)
                .subscribe(none -> {}, error -> log.error("services are no longer started", error)));
    }

    void stop() {
        subscription.dispose();
    }

    /** Every run that begins is one for the workspace's service to be started in, and so is one that was frozen before it was. */
    void committed(Commit commit) {
        for (Step step : commit.steps()) {
            boolean runs = step.event() instanceof ContainerStarted || step.event() instanceof ContainerResumed;
            if (runs && step.after() != null) {
                askWhereUnknown(step.after().health());
            }
        }
    }

    /**
     * Takes over workspaces that were known before, once it is known what runs: the start of a service may have been lost in a run
     * that still goes on.
     */
    void recover(List<WorkspaceHealth> known) {
        for (WorkspaceHealth one : known) {
            WorkspaceHealth now = Commands.health(writer.board(), one.id());
            if (now != null
                    && Objects.equals(now.container().run(), one.container().run())) {
                askWhereUnknown(now);
            }
        }
    }

    private void askWhereUnknown(WorkspaceHealth health) {
        if (health.container().running() && health.container().serviceStartedAt() == null && wanted(health)) {
            ask(health.id());
        }
    }

    private boolean wanted(WorkspaceHealth health) {
        return health.workspace().serviceCommand() != null && !runtime.runsTheService(health.workspace());
    }

    /** Starts the service soon where a container runs and it does not. */
    void ask(WorkspaceId id) {
        scheduler.schedule(() -> emit(new Ask(id, 0)));
    }

    private void emit(Ask ask) {
        asked.emitNext(ask, Sinks.EmitFailureHandler.FAIL_FAST);
    }

    private Mono<Void> serve(Ask ask) {
        return Mono.defer(() -> {
                    WorkspaceHealth health = Commands.health(writer.board(), ask.id());
                    ContainerRun run =
                            health == null ? null : health.container().run();
                    return health == null || run == null || !wanted(health)
                            ? Mono.<Void>empty()
                            : serve(health.workspace(), run);
                })
                .onErrorResume(error -> {
                    failed(ask, error);
                    return Mono.empty();
                });
    }

    private void failed(Ask ask, Throwable error) {
        if (error instanceof RefusedException || ask.failures() == ATTEMPTS) {
            log.warn("the service of workspace {} was not started: {}", ask.id(), error.getMessage());
        } else {
            Ask again = new Ask(ask.id(), ask.failures() + 1);
            scheduler.schedule(() -> emit(again), 1L << ask.failures(), TimeUnit.SECONDS);
        }
    }

    private Mono<Void> serve(Workspace workspace, ContainerRun run) {
        return runtime.serve(workspace, run)
                .timeout(PATIENCE, scheduler)
                .onErrorResume(error -> isOver(workspace, run), error -> Mono.empty())
                .flatMap(anew -> writer.submit(Commands.launched(workspace.id(), run, anew)))
                .then();
    }

    private boolean isOver(Workspace workspace, ContainerRun run) {
        WorkspaceHealth health = Commands.health(writer.board(), workspace.id());
        return health == null || !run.equals(health.container().run());
    }
}
