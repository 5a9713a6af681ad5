package org.klangk.health.runtime;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.klangk.health.event.ContainerPaused;
import org.klangk.health.event.ContainerResumed;
import org.klangk.health.event.ContainerRun;
import org.klangk.health.event.ContainerStarted;
import org.klangk.health.event.ContainerStopped;
import org.klangk.health.event.StopCause;
import org.klangk.health.event.WorkspaceEvent;
import org.klangk.health.state.ContainerHistory;
import org.klangk.health.state.WorkspaceHealth;
import org.klangk.health.workspace.WorkspaceId;

/** {@code (known, seen) → events}: what must have happened to a container. Pure. */
public final class Reconciliation {
    /** Exit codes of a container that was ended from outside, by SIGTERM or SIGKILL. */
    private static final List<Integer> ENDED = List.of(0, 137, 143);

    private Reconciliation() {}

    /**
     * What must have happened.
     *
     * @param known what is known of the workspace
     * @param seen its container as it was just seen, null when there is none
     * @param death how the container that ran before died, where an event told it
     * @param unwatchedSince when somebody watched last before this look, null when nobody looked away
     * @param at now
     */
    public static List<WorkspaceEvent> reconcile(
            WorkspaceHealth known,
            @Nullable ContainerInfo seen,
            RuntimeEvent.@Nullable Death death,
            @Nullable Instant unwatchedSince,
            Instant at) {
        WorkspaceId id = known.id();
        ContainerHistory container = known.container();
        ContainerRun was = container.run();
        ContainerRun is = seen == null ? null : seen.run();
        List<WorkspaceEvent> events = new ArrayList<>(3);
        boolean sameRun = was == null ? is == null : was.equals(is);
        if (was != null && !sameRun) {
            StopCause cause = cause(was, seen, death);
            events.add(new ContainerStopped(
                    at, id, was, missed(cause, seen, unwatchedSince, at), ended(was, seen, unwatchedSince, at)));
        }
        if (is != null && !sameRun) {
            events.add(new ContainerStarted(at, id, is, earlier(is.startedAt(), at)));
        }
        ContainerRun unseen = unseen(container, seen);
        if (is == null && unseen != null) {
            events.add(new ContainerStarted(at, id, unseen, earlier(unseen.startedAt(), at)));
            events.add(new ContainerStopped(
                    at, id, unseen, cause(unseen, seen, death), ended(unseen, seen, unwatchedSince, at)));
        }
        boolean wasPaused = sameRun && container.paused();
        boolean isPaused = seen != null && seen.status() == ContainerInfo.Status.PAUSED;
        if (is != null && wasPaused != isPaused) {
            events.add(isPaused ? new ContainerPaused(at, id) : new ContainerResumed(at, id));
        }
        return events;
    }

    /** What nobody saw, and nobody can tell any more, is told as that. */
    private static StopCause missed(
            StopCause cause, @Nullable ContainerInfo seen, @Nullable Instant unwatchedSince, Instant at) {
        if (unwatchedSince == null
                || (cause.kind() != StopCause.Kind.UNKNOWN && cause.kind() != StopCause.Kind.REMOVED)) {
            return cause;
        }
        Instant next = seen == null ? null : seen.startedAt();
        Instant gone = next == null || next.isBefore(unwatchedSince) ? at : earlier(next, at);
        return StopCause.unwatched(unwatchedSince, gone);
    }

    /** A run that ended while somebody watched ended now; of another the runtime may know when. */
    private static Instant ended(
            ContainerRun run, @Nullable ContainerInfo seen, @Nullable Instant unwatchedSince, Instant at) {
        if (unwatchedSince == null || seen == null || seen.endedAt() == null) {
            return at;
        }
        boolean same = seen.id().equals(run.containerId()) && run.startedAt().equals(seen.startedAt());
        return same ? earlier(seen.endedAt().truncatedTo(ChronoUnit.MILLIS), at) : at;
    }

    private static Instant earlier(Instant one, Instant other) {
        return one.isBefore(other) ? one : other;
    }

    /** A run that began and ended between two looks; that there was a stopped container at the first look is no news. */
    private static @Nullable ContainerRun unseen(ContainerHistory container, @Nullable ContainerInfo seen) {
        ContainerRun last = container.running() ? container.run() : container.ended();
        if (seen == null || last == null || seen.startedAt() == null) {
            return null;
        }
        return seen.startedAt().isAfter(last.startedAt()) ? new ContainerRun(seen.id(), seen.startedAt()) : null;
    }

    private static StopCause cause(ContainerRun was, @Nullable ContainerInfo seen, RuntimeEvent.@Nullable Death death) {
        boolean sameContainer = seen != null && seen.id().equals(was.containerId());
        if (seen != null
                && sameContainer
                && seen.stopCause() != null
                && was.startedAt().equals(seen.startedAt())) {
            return death != null && death.requested() ? StopCause.requested(death.exitCode()) : seen.stopCause();
        }
        if (death != null && (sameContainer || !ENDED.contains(death.exitCode()))) {
            return death.requested() ? StopCause.requested(death.exitCode()) : StopCause.exited(death.exitCode());
        }
        return sameContainer ? StopCause.unknown() : StopCause.removed();
    }

    /** Whether a listing, whose times are whole seconds, agrees with what is known. */
    public static boolean agrees(WorkspaceHealth known, @Nullable ContainerInfo listed) {
        ContainerRun was = known.container().run();
        ContainerRun is = listed == null ? null : listed.run();
        if (was == null || is == null || listed == null) {
            return was == null && is == null;
        }
        return was.containerId().equals(is.containerId())
                && was.startedAt().getEpochSecond() == is.startedAt().getEpochSecond()
                && known.container().paused() == (listed.status() == ContainerInfo.Status.PAUSED);
    }
}
