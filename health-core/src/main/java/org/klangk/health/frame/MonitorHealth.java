package org.klangk.health.frame;

import org.jspecify.annotations.Nullable;
import org.klangk.health.event.Component;
import org.klangk.health.workspace.WorkspaceId;

/**
 * A part that the monitor depends on stopped working or works again: one frame, however many workspaces it concerns.
 *
 * @param component which part
 * @param healthy whether it works
 * @param message what was seen, null when it works
 */
public record MonitorHealth(
        Component component, boolean healthy, @Nullable String message, FrameKind kind, Position position)
        implements LoggedFrame {
    @Override
    public FrameType type() {
        return FrameType.MONITOR_HEALTH;
    }

    @Override
    public @Nullable WorkspaceId workspaceId() {
        return null;
    }

    @Override
    public MonitorHealth at(Position place) {
        return new MonitorHealth(component, healthy, message, kind, place);
    }
}
