package org.klangk.health.frame;

import org.jspecify.annotations.Nullable;
import org.klangk.health.workspace.Audience;
import org.klangk.health.workspace.WorkspaceId;

/**
 * A workspace was created, edited or deleted: a list of workspaces should be read again.
 *
 * @param was whom it was shown to before, null when it was created; kept, to decide who is told, and not on the wire
 * @param is whom it is shown to now, null when it was deleted; likewise
 */
public record WorkspacesChanged(
        WorkspaceId workspaceId,
        @Nullable Audience was,
        @Nullable Audience is,
        Position position) implements LoggedFrame {
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
        return new WorkspacesChanged(workspaceId, was, is, place);
    }

    /** Whether who may see the workspace changed, rather than what is to be seen. */
    public boolean changesAudience() {
        return was != null && is != null && !was.equals(is);
    }
}
