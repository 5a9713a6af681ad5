package org.klangk.health.frame;

import org.klangk.health.workspace.WorkspaceId;

/**
 * A workspace does not exist any more for the one who is told.
 *
 * @param reason {@code deleted} or {@code access}
 */
public record WorkspaceRemovedFrame(WorkspaceId workspaceId, String reason, Position position) implements LoggedFrame {
    @Override
    public FrameType type() {
        return FrameType.WORKSPACE_REMOVED;
    }

    @Override
    public FrameKind kind() {
        return FrameKind.CHANGE;
    }

    @Override
    public WorkspaceRemovedFrame at(Position place) {
        return new WorkspaceRemovedFrame(workspaceId, reason, place);
    }
}
