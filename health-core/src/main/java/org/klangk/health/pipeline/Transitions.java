package org.klangk.health.pipeline;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.klangk.health.event.ContainerRun;
import org.klangk.health.event.ContainerStopped;
import org.klangk.health.event.HealthEvent;
import org.klangk.health.event.StopCause;
import org.klangk.health.event.WorkspaceChanged;
import org.klangk.health.event.WorkspaceDefined;
import org.klangk.health.frame.ContainerStatus;
import org.klangk.health.frame.FrameKind;
import org.klangk.health.frame.LoggedFrame;
import org.klangk.health.frame.Position;
import org.klangk.health.frame.ServiceHealth;
import org.klangk.health.frame.WorkspaceRemovedFrame;
import org.klangk.health.frame.WorkspaceStateFrame;
import org.klangk.health.frame.WorkspacesChanged;
import org.klangk.health.state.HealthState;
import org.klangk.health.state.StateSince;
import org.klangk.health.state.WorkspaceHealth;
import org.klangk.health.workspace.Audience;
import org.klangk.health.workspace.WorkspaceId;

/**
 * {@code (before, after) → frames}: what there is to tell. A verdict is told when the pair (healthy, running) differs from the
 * one last told for this incarnation, and once when the container dies; a state only where no verdict tells it. The frames have
 * no place in the log yet.
 */
final class Transitions {
    private final WorkspaceId id;
    private final Instant at;
    private final List<LoggedFrame> frames = new ArrayList<>(3);
    private Told told;

    private Transitions(WorkspaceId id, Instant at, Told told) {
        this.id = id;
        this.at = at;
        this.told = told;
    }

    static Step detect(Step step) {
        Tracked before = step.before();
        Tracked after = step.after();
        if (after == null) {
            if (before == null) {
                return step;
            }
            WorkspaceId gone = before.health().id();
            Audience was = before.health().workspace().audience();
            return step.telling(
                    null,
                    List.of(
                            new WorkspaceRemovedFrame(gone, "deleted", was, Position.NONE),
                            new WorkspacesChanged(gone, was, null, Position.NONE)));
        }
        if (before != null && nothingToTell(before.health(), after)) {
            return step;
        }
        Transitions transitions =
                new Transitions(after.health().id(), step.event().at(), after.told());
        transitions.between(before == null ? null : before.health(), after.health(), step.event());
        return transitions.frames.isEmpty()
                ? step
                : step.telling(new Tracked(after.health(), transitions.told), List.copyOf(transitions.frames));
    }

    /** Nearly always: the same container and definition, and what is true now was told before. */
    @SuppressWarnings("ReferenceEquality") // another object only costs a closer look
    private static boolean nothingToTell(WorkspaceHealth before, Tracked after) {
        WorkspaceHealth now = after.health();
        Boolean healthy = now.verdict().healthy();
        return before.container() == now.container()
                && before.workspace() == now.workspace()
                && (healthy == null || healthy.equals(after.told().healthy()))
                && after.told().says(now.shown());
    }

    private void between(@Nullable WorkspaceHealth before, WorkspaceHealth after, HealthEvent event) {
        ContainerRun was = before == null ? null : before.container().run();
        ContainerRun is = after.container().run();
        boolean sameRun = was == null ? is == null : was.equals(is);
        if (before != null && was != null && !sameRun) {
            died(before, after, cause(after, event), was);
        }
        if (is != null && !sameRun) {
            frames.add(new ContainerStatus(id, true, is.containerId(), Position.NONE));
        }
        if (event instanceof WorkspaceDefined
                || (event instanceof WorkspaceChanged
                        && before != null
                        && !before.workspace().equals(after.workspace()))) {
            frames.add(new WorkspacesChanged(
                    id,
                    before == null ? null : before.workspace().audience(),
                    after.workspace().audience(),
                    Position.NONE));
        }
        StateSince state = after.shown();
        Boolean healthy = after.verdict().healthy();
        if (is != null && healthy != null && !healthy.equals(told.healthy())) {
            told = told.health(healthy, state.state());
            frames.add(verdict(after, state, healthy, told.seq(), FrameKind.CHANGE, Position.NONE));
        }
        if (!told.says(state)) {
            told = told.state(state);
            frames.add(new WorkspaceStateFrame(
                    id, state.state(), state.reason(), state.since(), FrameKind.CHANGE, Position.NONE));
        }
    }

    /** The run that was is over; where another began at the same moment, nobody saw how. */
    private static StopCause cause(WorkspaceHealth after, HealthEvent event) {
        if (event instanceof ContainerStopped stopped) {
            return stopped.cause();
        }
        StopCause cause = after.container().stopCause();
        return cause == null ? StopCause.unknown() : cause;
    }

    private void died(WorkspaceHealth before, WorkspaceHealth after, StopCause cause, ContainerRun run) {
        told = told.died();
        frames.add(new ServiceHealth(
                id,
                false,
                cause.message(),
                false,
                before.verdict().checkedAt(),
                told.seq(),
                FrameKind.CHANGE,
                before.workspace().name(),
                HealthState.STOPPED,
                after.container().running() ? at : after.shown().since(),
                null,
                cause.exitCode(),
                before.container().incarnation(),
                Position.NONE));
        frames.add(new ContainerStatus(id, false, run.containerId(), Position.NONE));
    }

    static ServiceHealth verdict(
            WorkspaceHealth health, StateSince state, boolean healthy, long seq, FrameKind kind, Position position) {
        var last = health.verdict().last();
        return new ServiceHealth(
                health.id(),
                healthy,
                health.verdict().message(),
                true,
                health.verdict().checkedAt(),
                seq,
                kind,
                health.workspace().name(),
                state.state(),
                state.since(),
                last == null ? null : last.outcome(),
                last == null ? null : last.exitCode(),
                health.container().incarnation(),
                position);
    }
}
