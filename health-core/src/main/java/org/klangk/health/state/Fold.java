package org.klangk.health.state;

import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.klangk.health.event.CheckCompleted;
import org.klangk.health.event.ContainerPaused;
import org.klangk.health.event.ContainerResumed;
import org.klangk.health.event.ContainerStarted;
import org.klangk.health.event.ContainerStopped;
import org.klangk.health.event.DeadlinePassed;
import org.klangk.health.event.ServiceStarted;
import org.klangk.health.event.SetupChanged;
import org.klangk.health.event.StopCause;
import org.klangk.health.event.WorkspaceChanged;
import org.klangk.health.event.WorkspaceDefined;
import org.klangk.health.event.WorkspaceEvent;
import org.klangk.health.event.WorkspaceRemoved;
import org.klangk.health.policy.Streak;
import org.klangk.health.workspace.Workspace;

/**
 * {@code (state, event) → state}, for one workspace. Total: an event that does not fit what is known (of a run that is over,
 * of a workspace that is gone) changes nothing. It reads no clock: the event has the time.
 */
public final class Fold {
    private Fold() {}

    /**
     * What is known after {@code event}.
     *
     * @param known what was known, null for a workspace that is not watched
     * @return null when it is not watched any more
     */
    public static @Nullable WorkspaceHealth apply(@Nullable WorkspaceHealth known, WorkspaceEvent event) {
        Judgement judgement = known != null && event instanceof CheckCompleted completed
                ? Judgement.of(known, completed)
                : Judgement.VOID;
        return apply(known, event, judgement);
    }

    /** The same where the result was judged before. */
    public static @Nullable WorkspaceHealth apply(
            @Nullable WorkspaceHealth known, WorkspaceEvent event, Judgement judgement) {
        if (known == null) {
            return event instanceof WorkspaceDefined defined ? defined(defined) : null;
        }
        if (event instanceof WorkspaceRemoved) {
            return null;
        }
        if (event instanceof CheckCompleted completed) {
            return completed(known, completed, judgement);
        }
        Draft draft = new Draft(known);
        if (event instanceof WorkspaceChanged changed) {
            draft.changed(changed);
        } else if (event instanceof SetupChanged setup) {
            draft.workspace = known.workspace().withSetup(setup.setup());
        } else if (event instanceof ContainerStarted started) {
            draft.started(started);
        } else if (event instanceof ContainerStopped stopped) {
            draft.stopped(stopped);
        } else if (event instanceof ContainerPaused) {
            draft.container = known.container().running() ? known.container().paused(true) : known.container();
        } else if (event instanceof ContainerResumed) {
            draft.container = known.container().paused(false);
        } else if (event instanceof ServiceStarted started) {
            draft.container =
                    known.container().running() ? known.container().serviceStarted(started.at()) : known.container();
        } else if (!(event instanceof DeadlinePassed)) {
            return known;
        }
        return draft.build(event.at());
    }

    private static WorkspaceHealth defined(WorkspaceDefined event) {
        return new WorkspaceHealth(
                event.workspace(),
                1,
                ContainerHistory.NONE,
                Verdict.NONE,
                false,
                event.at(),
                null,
                0,
                new StateSince(HealthState.STOPPED, null, event.at()));
    }

    /**
     * Nearly all events are results, so this builds nothing that it does not keep. A result that is not void is of a workspace
     * that is checked, and with a result just now nothing is stale.
     */
    private static WorkspaceHealth completed(WorkspaceHealth known, CheckCompleted event, Judgement judgement) {
        if (judgement == Judgement.VOID || judgement == Judgement.TOO_SOON) {
            return known;
        }
        boolean counted = judgement == Judgement.COUNTED;
        Verdict verdict = counted ? known.verdict().and(event, known) : known.verdict();
        boolean starting = !counted
                && verdict.healthy() == null
                && verdict.streak().isEmpty()
                && (known.starting() || known.inGrace(event.at()));
        HealthState state = verdict.state(starting);
        StateSince shown = known.shown();
        return new WorkspaceHealth(
                known.workspace(),
                known.checkRevision(),
                known.container(),
                verdict,
                starting,
                known.watchedSince(),
                event.at(),
                event.run(),
                shown.state() == state ? shown : new StateSince(state, null, event.at()));
    }

    /** What is being changed while one event is folded. */
    private static final class Draft {
        private final WorkspaceHealth known;
        private Workspace workspace;
        private int checkRevision;
        private ContainerHistory container;
        private Verdict verdict;
        private boolean starting;
        private Instant watchedSince;
        private @Nullable Instant lastResultAt;
        private long lastRun;
        private @Nullable Instant endedAt;

        Draft(WorkspaceHealth known) {
            this.known = known;
            workspace = known.workspace();
            checkRevision = known.checkRevision();
            container = known.container();
            verdict = known.verdict();
            starting = known.starting();
            watchedSince = known.watchedSince();
            lastResultAt = known.lastResultAt();
            lastRun = known.lastRun();
        }

        /** An edited check starts its streak anew; the verdict stays until the next result. */
        void changed(WorkspaceChanged event) {
            workspace = event.workspace();
            if (!workspace.checksLike(known.workspace())) {
                checkRevision++;
                verdict = workspace.healthCheck() == null ? Verdict.NONE : verdict.withoutStreak();
                watchedSince = event.at();
            }
            if (!Objects.equals(workspace.container(), known.workspace().container())) {
                if (container.running()) {
                    stop(StopCause.requested(null));
                }
                container = container.renamed();
            }
        }

        /** A new run: nothing of the one before is left. */
        void started(ContainerStarted event) {
            if (event.run().equals(container.run())) {
                return;
            }
            container = container.started(event.run(), event.startedAt());
            forget();
            watchedSince = event.at();
        }

        void stopped(ContainerStopped event) {
            if (event.run().equals(container.run())) {
                stop(event.cause());
                endedAt = event.endedAt();
            }
        }

        private void stop(StopCause cause) {
            container = container.stopped(cause);
            Instant checkedAt = verdict.checkedAt();
            forget();
            verdict = new Verdict(null, cause.message(), null, checkedAt, Streak.NONE, null);
        }

        private void forget() {
            verdict = Verdict.NONE;
            starting = false;
            lastResultAt = null;
        }

        WorkspaceHealth build(Instant at) {
            WorkspaceHealth next = assemble(known.shown());
            if (next.checkable() && !known.checkable()) {
                watchedSince = at;
            }
            // Grace begins with a run, ends with the first result that counts, and never begins again after a verdict.
            starting = next.checkable()
                    && verdict.healthy() == null
                    && verdict.streak().isEmpty()
                    && (starting || next.inGrace(at));
            next = assemble(known.shown());
            return assemble(next.stateAt(endedAt == null ? at : endedAt));
        }

        private WorkspaceHealth assemble(StateSince shown) {
            return new WorkspaceHealth(
                    workspace, checkRevision, container, verdict, starting, watchedSince, lastResultAt, lastRun, shown);
        }
    }
}
