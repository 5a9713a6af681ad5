package org.klangk.health.frame;

import org.jspecify.annotations.Nullable;
import org.klangk.health.workspace.Audience;
import org.klangk.health.workspace.WorkspaceId;

/**
 * A workspace does not exist any more for the one who is told.
 *
 * @param reason {@code deleted} or {@code access}
 * @param was whom it was shown to, to decide who is told; it is kept and not on the wire, null where it is not known
 */
public record WorkspaceRemovedFrame(
        WorkspaceId workspaceId, String reason, @Nullable Audience was, Position position) implements LoggedFrame {
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
        return new WorkspaceRemovedFrame(workspaceId, reason, was, place);
    }
}
