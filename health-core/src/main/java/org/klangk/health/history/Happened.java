package org.klangk.health.history;

import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.klangk.health.event.HealthEvent;
import org.klangk.health.event.WorkspaceEvent;
import org.klangk.health.workspace.WorkspaceId;

/**
 * An event that is no result.
 *
 * @param event what happened
 */
public record Happened(long id, long rev, HealthEvent event) implements HistoryEntry {
    @Override
    public Instant at() {
        return event.at();
    }

    @Override
    public @Nullable WorkspaceId workspaceId() {
        return event instanceof WorkspaceEvent about ? about.workspaceId() : null;
    }

    @Override
    public HistoryKind kind() {
        return HistoryKind.of(event);
    }
}
