package org.klangk.health.history;

import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.klangk.health.event.StopCause;
import org.klangk.health.state.HealthState;
import org.klangk.health.state.StateSince;
import org.klangk.health.workspace.WorkspaceId;

/**
 * A workspace came to another state.
 *
 * @param at when that was noticed; {@code to} says since when it is so
 * @param from the state before, null for a workspace that is new
 * @param to the state since then; null for a workspace that is not watched any more
 * @param message why it is unhealthy or stopped, null when there is nothing to say
 * @param stop the kind of cause where it is stopped, null elsewhere and before its first container
 */
public record Transition(
        long id,
        long rev,
        Instant at,
        WorkspaceId workspaceId,
        @Nullable HealthState from,
        @Nullable StateSince to,
        @Nullable String message,
        StopCause.@Nullable Kind stop)
        implements HistoryEntry {
    @Override
    public HistoryKind kind() {
        return HistoryKind.TRANSITION;
    }

    /** Since when it is so. */
    public Instant since() {
        return to == null ? at : to.since();
    }
}
