package org.klangk.health.service;

import java.time.Duration;
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
import reactor.util.retry.Retry;

/**
 * Has service commands started in containers that have just begun to run, and says when they are. One after the other for a
 * workspace; what is asked is looked at when its turn comes, so that it is never of a run that is over.
 */
final class ServiceLauncher {
    private static final int LANES = 4;
    private static final int ATTEMPTS = 5;
    private static final Logger log = LoggerFactory.getLogger(ServiceLauncher.class);

    private final ContainerRuntime runtime;
    private final Writer writer;
    private final Scheduler scheduler;
    private final Retry again;
    private final Sinks.Many<WorkspaceId> asked = Sinks.many().unicast().onBackpressureBuffer();
    private final Disposable.Swap subscription = Disposables.swap();

    /** @param scheduler has one thread */
    ServiceLauncher(ContainerRuntime runtime, Writer writer, Scheduler scheduler) {
        this.runtime = runtime;
        this.writer = writer;
        this.scheduler = scheduler;
        again = Retry.backoff(ATTEMPTS, Duration.ofSeconds(1))
                .filter(error -> !(error instanceof RefusedException))
                .onRetryExhaustedThrow((spec, signal) -> signal.failure())
                .scheduler(scheduler);
    }

    void start() {
        subscription.update(asked.asFlux()
                .groupBy(id -> Math.floorMod(id.hashCode(), LANES))
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
                recover(step.after().health());
            }
        }
    }

    /** Asks where nobody knows of the service in the workspace's run. */
    void recover(WorkspaceHealth health) {
        if (health.container().running() && health.container().serviceStartedAt() == null && wanted(health)) {
            ask(health.id());
        }
    }

    private boolean wanted(WorkspaceHealth health) {
        return health.workspace().serviceCommand() != null && !runtime.runsTheService(health.workspace());
    }

    /** Starts the service soon where a container runs and it does not. */
    void ask(WorkspaceId id) {
        scheduler.schedule(() -> asked.emitNext(id, Sinks.EmitFailureHandler.FAIL_FAST));
    }

    private Mono<Void> serve(WorkspaceId id) {
        return Mono.defer(() -> {
                    WorkspaceHealth health = Commands.health(writer.board(), id);
                    ContainerRun run =
                            health == null ? null : health.container().run();
                    return health == null || run == null || !wanted(health)
                            ? Mono.<Void>empty()
                            : serve(health.workspace(), run);
                })
                .retryWhen(again)
                .onErrorResume(error -> {
                    log.warn("the service of workspace {} was not started: {}", id, error.getMessage());
                    return Mono.empty();
                });
    }

    private Mono<Void> serve(Workspace workspace, ContainerRun run) {
        return runtime.serve(workspace, run)
                .onErrorResume(error -> isOver(workspace, run), error -> Mono.empty())
                .flatMap(anew -> writer.submit(Commands.launched(workspace.id(), run, anew)))
                .then();
    }

    private boolean isOver(Workspace workspace, ContainerRun run) {
        WorkspaceHealth health = Commands.health(writer.board(), workspace.id());
        return health == null || !run.equals(health.container().run());
    }
}
