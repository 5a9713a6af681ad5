package org.klangk.health.probe;

import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.klangk.health.event.CheckResult;
import org.klangk.health.state.WorkspaceHealth;
import org.klangk.health.workspace.ProbeKind;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/** One run of one check, from its place in the queue to its committed result. On the scheduler's thread only. */
final class CheckRun {
    /** A probe keeps its own deadline, and may run a check twice; this long after that the run is given up all the same. */
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private static final Logger log = LoggerFactory.getLogger(CheckRun.class);

    /** Told when a run is over. */
    interface Over {
        void over(CheckRun run, @Nullable WorkspaceHealth health, boolean gaveResult);
    }

    private final Target target;
    private final long number;
    private final boolean onDemand;
    private final long due;
    private final Lane.Context context;
    private final Over over;
    private final Sinks.One<CheckAnswer> answer = Sinks.one();
    private final Disposable.Swap work = Disposables.swap();
    private ProbeBudget.@Nullable Turn turn;
    private boolean started;
    private long startedNanos;
    private long endedNanos;

    CheckRun(Target target, long number, boolean onDemand, long due, Lane.Context context, Over over) {
        this.target = target;
        this.number = number;
        this.onDemand = onDemand;
        this.due = due;
        this.context = context;
        this.over = over;
    }

    void queue() {
        ProbeKind cost = probe().opens(target.request())
                ? ProbeKind.EXEC
                : target.workspace().probe();
        turn = Objects.requireNonNull(context.budgets().get(cost)).queue(this::start);
    }

    private void start() {
        started = true;
        startedNanos = context.now();
        context.late().accept(Math.max(0, startedNanos - due));
        Duration timeout = target.workspace().policy().timeout();
        Duration limit = timeout.plus(timeout).plus(PATIENCE);
        // Deferred to the timer: a probe that answers at once must not find this run half begun.
        work.update(Mono.defer(() -> probe().run(target.request()))
                .switchIfEmpty(Mono.just(new ProbeResult.NoResult("the probe gave no answer")))
                .timeout(limit, Mono.just(new ProbeResult.NoResult("the probe did not end")), context.timer())
                .onErrorResume(error -> {
                    log.warn(
                            "a probe of workspace {} failed", target.workspace().id(), error);
                    return Mono.just(new ProbeResult.NoResult("the probe failed"));
                })
                .publishOn(context.timer())
                .subscribe(this::ended));
    }

    private Probe probe() {
        return context.probe(target.workspace().probe());
    }

    private void ended(ProbeResult result) {
        endedNanos = context.now();
        endTurn();
        if (result instanceof ProbeResult.Completed completed) {
            Duration timeout = target.workspace().policy().timeout();
            if (completed.survivors() > 0) {
                log.warn(
                        "workspace {}: {} processes of a check could not be ended",
                        target.workspace().id(),
                        completed.survivors());
            }
            take(completed.kept(timeout, context.redaction()), completed.survivors());
        } else {
            ProbeResult.NoResult none = (ProbeResult.NoResult) result;
            log.debug("no result from workspace {}: {}", target.workspace().id(), none.reason());
            nothing(none.reason());
        }
    }

    private void take(CheckResult result, int survivors) {
        RunReport report = new RunReport(
                target.workspace().id(),
                target.incarnation(),
                target.checkRevision(),
                number,
                startedNanos,
                Duration.ofNanos(endedNanos - startedNanos),
                startDelay(),
                onDemand,
                result);
        work.update(context.sink()
                .take(report)
                .publishOn(context.timer())
                .subscribe(
                        taken -> {
                            answer.tryEmitValue(new CheckAnswer(
                                    result,
                                    null,
                                    taken.counted(),
                                    taken.at(),
                                    report.duration(),
                                    report.startDelay(),
                                    survivors));
                            over.over(this, taken.health(), true);
                        },
                        error -> {
                            log.warn(
                                    "a result of workspace {} was not taken",
                                    target.workspace().id(),
                                    error);
                            nothing("the result could not be recorded");
                        }));
    }

    private void nothing(String why) {
        answerNothing(why);
        over.over(this, null, false);
    }

    private void answerNothing(String why) {
        Duration took = started ? Duration.ofNanos(context.now() - startedNanos) : Duration.ZERO;
        answer.tryEmitValue(
                new CheckAnswer(null, why, false, context.clock().wall().get(), took, startDelay(), 0));
    }

    /** It is of no use any more: its place is given up, its check ended, its result dropped. */
    void abandon(String why) {
        endTurn();
        work.dispose();
        answerNothing(why);
    }

    private void endTurn() {
        ProbeBudget.Turn mine = turn;
        if (mine != null) {
            mine.end();
        }
    }

    private Duration startDelay() {
        return started
                ? Duration.ofNanos(Math.max(0, startedNanos - due))
                : Duration.ofNanos(Math.max(0, context.now() - due));
    }

    Mono<CheckAnswer> answer() {
        return answer.asMono();
    }

    boolean started() {
        return started;
    }

    long due() {
        return due;
    }
}
