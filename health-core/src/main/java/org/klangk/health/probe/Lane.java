package org.klangk.health.probe;

import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;
import org.klangk.health.policy.Redaction;
import org.klangk.health.state.HealthState;
import org.klangk.health.state.WorkspaceHealth;
import org.klangk.health.time.HealthClock;
import org.klangk.health.workspace.CheckPolicy;
import org.klangk.health.workspace.ProbeKind;
import org.klangk.health.workspace.WorkspaceId;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/**
 * One workspace's runs: never two at once, the next one counted from the grid and not from the end of the last. On the
 * scheduler's thread only.
 */
final class Lane {
    /** What all lanes share. */
    record Context(
            Map<ProbeKind, Probe> probes,
            Map<ProbeKind, ProbeBudget> budgets,
            ResultSink sink,
            Redaction redaction,
            HealthClock clock,
            Scheduler timer,
            BooleanSupplier runtimeUp,
            LongConsumer late) {
        long now() {
            return clock.nanos().getAsLong();
        }

        Probe probe(ProbeKind kind) {
            return Objects.requireNonNull(probes.get(kind));
        }
    }

    private final WorkspaceId id;
    private final Context context;
    private final Disposable.Swap timer = Disposables.swap();
    private @Nullable Target target;
    private @Nullable CheckRun current;
    private HealthState state = HealthState.UNKNOWN;
    private @Nullable Long planned;
    private long lastRun;
    private int attemptsWithoutResult;

    Lane(WorkspaceId id, Context context) {
        this.id = id;
        this.context = context;
    }

    /** The workspace is known to be so now; what is not of the present any more is ended. */
    void update(WorkspaceHealth health, boolean atOnce) {
        Target next = Target.of(health);
        boolean beginsToStart = state != HealthState.STARTING && health.shown().state() == HealthState.STARTING;
        state = health.shown().state();
        lastRun = Math.max(lastRun, health.lastRun());
        Target before = target;
        target = next;
        if (next == null) {
            end("nothing is checked any more", before);
        } else if (!next.sameRunAs(before)) {
            end("the workspace changed meanwhile", before);
            attemptsWithoutResult = 0;
            plan(atOnce ? context.now() : Cadence.onGrid(id, interval(), context.now()));
        } else if (beginsToStart && current == null) {
            plan(context.now());
        } else if (before != null
                && !next.workspace().policy().equals(before.workspace().policy())
                && current == null) {
            plan(nextTime(context.now()));
        }
    }

    private void end(String why, @Nullable Target before) {
        timer.update(Disposables.disposed());
        planned = null;
        CheckRun run = current;
        current = null;
        if (run != null) {
            run.abandon(why);
        }
        if (before != null) {
            context.probe(before.workspace().probe()).release(id);
        }
    }

    void close() {
        Target before = target;
        target = null;
        end("the workspace is not watched any more", before);
    }

    void runtimeChanged(boolean up) {
        if (target == null) {
            return;
        }
        if (up) {
            attemptsWithoutResult = 0;
            if (current == null) {
                plan(state == HealthState.STARTING ? context.now() : Cadence.onGrid(id, interval(), context.now()));
            }
        } else if (current == null) {
            timer.update(Disposables.disposed());
            planned = null;
        }
    }

    private void plan(long at) {
        planned = at;
        long wait = Math.max(0, at - context.now());
        timer.update(context.timer().schedule(this::due, wait, TimeUnit.NANOSECONDS));
    }

    private void due() {
        Target now = target;
        if (now == null || current != null || !context.runtimeUp().getAsBoolean()) {
            return;
        }
        begin(now, false, planned == null ? context.now() : planned);
    }

    private CheckRun begin(Target of, boolean onDemand, long due) {
        lastRun++;
        CheckRun run = new CheckRun(of, lastRun, onDemand, due, context, this::over);
        current = run;
        run.queue();
        return run;
    }

    Mono<CheckAnswer> onDemand() {
        Target now = target;
        if (now == null) {
            return Mono.error(new NotCheckableException("nothing is checked"));
        }
        CheckRun run = current;
        return (run == null ? begin(now, true, context.now()) : run).answer();
    }

    /** A run gave a result that is committed, or gave none. */
    private void over(CheckRun run, @Nullable WorkspaceHealth health, boolean gaveResult) {
        if (!run.equals(current)) {
            return;
        }
        current = null;
        attemptsWithoutResult = gaveResult ? 0 : attemptsWithoutResult + 1;
        if (health != null) {
            state = health.shown().state();
        }
        if (target != null && context.runtimeUp().getAsBoolean()) {
            plan(nextTime(run.due()));
        }
    }

    private long nextTime(long lastDue) {
        CheckPolicy policy = policy();
        long now = context.now();
        if (attemptsWithoutResult > 0) {
            return Cadence.afterNoResult(policy, attemptsWithoutResult, now);
        }
        return state == HealthState.STARTING
                ? Cadence.whileStarting(policy, lastDue, now)
                : Cadence.onGrid(id, policy.interval(), now);
    }

    private CheckPolicy policy() {
        Target now = target;
        if (now == null) {
            throw new IllegalStateException("nothing is checked");
        }
        return now.workspace().policy();
    }

    boolean watches() {
        return target != null;
    }

    boolean running() {
        CheckRun run = current;
        return run != null && run.started();
    }

    /** For how long the current run has been due without having started. */
    long waiting(long now) {
        CheckRun run = current;
        return run == null || run.started() ? 0 : Math.max(0, now - run.due());
    }

    Duration interval() {
        Target now = target;
        return now == null ? Duration.ofDays(1) : now.workspace().policy().interval();
    }

    @Nullable
    Long planned() {
        return planned;
    }
}
