package org.klangk.health.history;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.klangk.health.event.CheckCompleted;
import org.klangk.health.event.ClockJumped;
import org.klangk.health.event.ComponentDown;
import org.klangk.health.event.ContainerPaused;
import org.klangk.health.event.ContainerResumed;
import org.klangk.health.event.ContainerRun;
import org.klangk.health.event.ContainerStarted;
import org.klangk.health.event.ContainerStopped;
import org.klangk.health.event.HealthEvent;
import org.klangk.health.event.ServiceStarted;
import org.klangk.health.event.SetupChanged;
import org.klangk.health.event.WorkspaceChanged;
import org.klangk.health.event.WorkspaceDefined;
import org.klangk.health.event.WorkspaceEvent;
import org.klangk.health.policy.Streak;
import org.klangk.health.state.Fold;
import org.klangk.health.state.Judgement;
import org.klangk.health.state.WorkspaceHealth;
import org.klangk.health.time.Durations;
import org.klangk.health.workspace.CheckPolicy;
import org.klangk.health.workspace.HealthDefaults;
import org.klangk.health.workspace.SetupState;
import org.klangk.health.workspace.Workspace;

/** Folds a past anew, under a policy, and says what each step does. Not thread-safe. */
final class Refold {
    private static final ContainerRun SOME_RUN = new ContainerRun("unknown", Instant.EPOCH);

    private final Workspace workspace;
    private final OtherPolicy policy;
    private final List<Explanation.Step> steps = new ArrayList<>();
    private @Nullable WorkspaceHealth known;
    private @Nullable Boolean lastVerdict;
    private int turns;

    Refold(Workspace workspace, OtherPolicy policy) {
        this.workspace = workspace;
        this.policy = policy;
    }

    Explanation explanation() {
        return new Explanation(List.copyOf(steps), turns);
    }

    void next(HistoryEntry entry) {
        if (entry instanceof ResultRun run) {
            results(run);
        } else if (entry instanceof Happened happened) {
            happened(happened.event());
        }
    }

    private void happened(HealthEvent event) {
        if (event instanceof WorkspaceDefined defined) {
            Workspace under = policy.of(defined.workspace());
            known = Fold.apply(null, new WorkspaceDefined(defined.at(), under));
            step(event, "defined: " + words(under.policy()));
        } else if (event instanceof WorkspaceChanged changed) {
            Workspace under = policy.of(changed.workspace());
            fold(new WorkspaceChanged(changed.at(), under));
            step(event, "edited: " + words(under.policy()));
        } else if (event instanceof ContainerStarted started) {
            fold(started);
            step(event, "container started");
        } else if (event instanceof ContainerStopped stopped) {
            String cause = stopped.cause().message();
            stop(stopped);
            step(event, "container stopped: " + (cause == null ? "on request" : cause));
        } else if (event instanceof WorkspaceEvent other) {
            fold(other);
            step(event, words(other));
        } else if (event instanceof ClockJumped jumped) {
            if (known != null) {
                known = known.shift(jumped.jump());
            }
            step(event, "the clock jumped by " + jumped.jump());
        } else if (event instanceof ComponentDown down) {
            step(event, "the " + down.component().name().toLowerCase(Locale.ROOT) + " did not work");
        }
    }

    private static String words(WorkspaceEvent event) {
        if (event instanceof SetupChanged setup) {
            return "setup " + setup.setup().name().toLowerCase(Locale.ROOT);
        }
        if (event instanceof ContainerPaused) {
            return "container paused";
        }
        return event instanceof ContainerResumed
                ? "container resumed"
                : event instanceof ServiceStarted ? "service launched" : "no longer watched";
    }

    private static String words(CheckPolicy of) {
        return "checked every " + Durations.text(of.interval()) + ", unhealthy after " + of.failuresBeforeUnhealthy()
                + ", healthy after " + of.successesBeforeHealthy() + ", grace "
                + Durations.text(of.startupGrace());
    }

    /** The run that ended may have begun before the past that is kept. */
    private void stop(ContainerStopped stopped) {
        ContainerRun run = begun(stopped.at()).container().run();
        fold(new ContainerStopped(
                stopped.at(),
                stopped.workspaceId(),
                run == null ? stopped.run() : run,
                stopped.cause(),
                stopped.endedAt()));
    }

    private void fold(WorkspaceEvent event) {
        known = Fold.apply(begun(event.at()), event);
        lastVerdict = known == null ? null : known.verdict().healthy();
    }

    /** What is known; where the past begins in the middle, a workspace that runs since long ago. */
    private WorkspaceHealth begun(Instant at) {
        WorkspaceHealth begun = known;
        if (begun == null) {
            Workspace under = policy.of(workspace.withSetup(SetupState.COMPLETE))
                    .edit()
                    .enabled(true)
                    .resolve(HealthDefaults.standard());
            begun = Fold.apply(null, new WorkspaceDefined(at, under));
        }
        return Objects.requireNonNull(begun);
    }

    private void results(ResultRun run) {
        WorkspaceHealth before = begun(run.at());
        if (!before.container().running()) {
            before = Objects.requireNonNull(
                    Fold.apply(before, new ContainerStarted(run.at(), before.id(), SOME_RUN, Instant.EPOCH)));
        }
        known = before;
        List<String> effects = new ArrayList<>();
        boolean turned = false;
        int inGrace = 0;
        for (long i = 0; i < run.count(); i++) {
            CheckCompleted result = result(run, i, before);
            Judgement judgement = Judgement.of(before, result);
            before = Objects.requireNonNull(Fold.apply(before, result, judgement));
            inGrace += judgement == Judgement.IN_GRACE ? 1 : 0;
            Boolean verdict = before.verdict().healthy();
            if (verdict != null && !verdict.equals(lastVerdict)) {
                boolean turn = lastVerdict != null;
                turns += turn ? 1 : 0;
                turned |= turn;
                effects.add((verdict ? "healthy" : "unhealthy") + (i == 0 ? "" : " at result " + (i + 1)));
                lastVerdict = verdict;
            }
        }
        known = before;
        if (inGrace > 0) {
            effects.add(inGrace == run.count() ? "in grace: not counted" : inGrace + " in grace: not counted");
        }
        if (effects.isEmpty()) {
            pending(before).ifPresent(effects::add);
        }
        steps.add(new Explanation.Step(run.at(), words(run), String.join("; ", effects), turned));
    }

    private static Optional<String> pending(WorkspaceHealth health) {
        Streak streak = health.verdict().streak();
        CheckPolicy of = health.workspace().policy();
        boolean waits = !streak.isEmpty()
                && !streak.suffices(of)
                && !Boolean.valueOf(streak.passed()).equals(health.verdict().healthy());
        return waits
                ? Optional.of(streak.count() + " of " + streak.needed(of) + " to be "
                        + (streak.passed() ? "healthy" : "unhealthy"))
                : Optional.empty();
    }

    /** The results of a run are as far from each other as they were on average. */
    private static CheckCompleted result(ResultRun run, long index, WorkspaceHealth known) {
        CheckCompleted first = run.first();
        Duration apart = run.count() == 1
                ? Duration.ZERO
                : Duration.between(first.at(), run.lastAt()).dividedBy(run.count() - 1);
        Duration later = apart.multipliedBy(index);
        return new CheckCompleted(
                first.at().plus(later),
                known.id(),
                known.container().incarnation(),
                known.checkRevision(),
                known.lastRun() + 1,
                first.startedAt().plus(later),
                first.duration(),
                first.startDelay(),
                false,
                first.result());
    }

    private static String words(ResultRun run) {
        String outcome =
                run.first().result().outcome().name().toLowerCase(Locale.ROOT).replace('_', ' ');
        String message = run.first().result().message();
        return (run.count() == 1 ? outcome : run.count() + " " + outcome)
                + (message == null ? "" : " (" + message + ")");
    }

    private void step(HealthEvent event, String what) {
        steps.add(new Explanation.Step(event.at(), what, "", false));
    }
}
