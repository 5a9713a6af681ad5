package org.klangk.health.frame;

import org.klangk.health.workspace.WorkspaceId;

/**
 * A workspace was created, edited or deleted: a list of workspaces should be read again.
 *
 * @param workspaceId which one, to decide who is told; it is not on the wire
 */
public record WorkspacesChanged(WorkspaceId workspaceId, Position position) implements LoggedFrame {
    @Override
    public FrameType type() {
        return FrameType.WORKSPACES_CHANGED;
    }

    @Override
    public FrameKind kind() {
        return FrameKind.CHANGE;
    }

    @Override
    public WorkspacesChanged at(Position place) {
        return new WorkspacesChanged(workspaceId, place);
    }
}
