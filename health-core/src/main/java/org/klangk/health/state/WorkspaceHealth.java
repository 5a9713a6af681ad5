package org.klangk.health.state;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.klangk.health.policy.Staleness;
import org.klangk.health.policy.StartupGrace;
import org.klangk.health.workspace.SetupState;
import org.klangk.health.workspace.Workspace;
import org.klangk.health.workspace.WorkspaceId;

/**
 * Everything known of one workspace: the fold of its events (see {@link Fold}). Immutable. Its state is a function of it and
 * the time, because a verdict that nobody renews goes stale by itself.
 *
 * @param workspace the definition
 * @param checkRevision edition of the check, rising when it is edited; a result of another edition is void
 * @param container its container's runs
 * @param verdict what the results of this incarnation say
 * @param starting whether it is in grace, or just after it, with nothing counted yet
 * @param watchedSince from when results could be expected; staleness counts from here until the first one
 * @param lastResultAt the last result of this incarnation, counted or not, null before the first
 * @param lastRun number of the last run whose result was taken
 * @param shown the state as the last event left it
 */
public record WorkspaceHealth(
        Workspace workspace,
        int checkRevision,
        ContainerHistory container,
        Verdict verdict,
        boolean starting,
        Instant watchedSince,
        @Nullable Instant lastResultAt,
        long lastRun,
        StateSince shown) {

    /** Its id. */
    public WorkspaceId id() {
        return workspace.id();
    }

    /** The state at {@code now}. */
    public StateSince stateAt(Instant now) {
        HealthState state = derive(now);
        String reason = state == HealthState.NOT_CHECKED ? notCheckedReason() : null;
        if (shown.sameAs(state, reason)) {
            return shown;
        }
        Instant deadline = state == HealthState.STALE ? staleAt() : null;
        return new StateSince(state, reason, deadline == null ? now : deadline);
    }

    private HealthState derive(Instant now) {
        if (!container.running()) {
            return HealthState.STOPPED;
        }
        if (notCheckedReason() != null) {
            return HealthState.NOT_CHECKED;
        }
        if (!now.isBefore(deadline())) {
            return HealthState.STALE;
        }
        return verdict.state(starting);
    }

    /** Whether checks run at all: a running container, a check, and nothing that forbids it. */
    public boolean checkable() {
        return container.running() && notCheckedReason() == null;
    }

    /** Why nothing is checked although a container may run; null when checks run. */
    public @Nullable String notCheckedReason() {
        if (workspace.healthCheck() == null) {
            return "no_health_check";
        }
        if (!workspace.enabled()) {
            return "disabled";
        }
        if (workspace.setup() != SetupState.COMPLETE) {
            return workspace.setup() == SetupState.PENDING ? "setup_pending" : "setup_failed";
        }
        return container.paused() ? "paused" : null;
    }

    /** When it goes stale if no result comes before; null while nothing is checked. */
    public @Nullable Instant staleAt() {
        return checkable() ? deadline() : null;
    }

    private Instant deadline() {
        Instant from = lastResultAt == null || (verdict.healthy() == null && lastResultAt.isBefore(watchedSince))
                ? watchedSince
                : lastResultAt;
        return Staleness.deadline(workspace.policy(), from);
    }

    /** The end of startup grace in this incarnation; null where there is none. */
    public @Nullable Instant graceUntil() {
        Instant started = container.startedAt();
        return !container.running() || started == null
                ? null
                : StartupGrace.until(workspace, started, container.serviceStartedAt());
    }

    /** Whether a check that started at {@code start} started in grace. */
    public boolean inGrace(Instant start) {
        Instant until = graceUntil();
        return until != null && start.isBefore(until);
    }

    /** The same knowledge by a clock that jumped. */
    public WorkspaceHealth shift(Duration jump) {
        return new WorkspaceHealth(
                workspace,
                checkRevision,
                container.shift(jump),
                verdict.shift(jump),
                starting,
                watchedSince.plus(jump),
                Times.shift(lastResultAt, jump),
                lastRun,
                new StateSince(shown.state(), shown.reason(), shown.since().plus(jump)));
    }
}
