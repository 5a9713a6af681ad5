package org.klangk.health.frame;

import org.jspecify.annotations.Nullable;
import org.klangk.health.workspace.WorkspaceId;

/** A frame that is kept in the log and has a number of its own there. */
public sealed interface LoggedFrame extends Frame
        permits ServiceHealth,
                ContainerStatus,
                WorkspacesChanged,
                WorkspaceStateFrame,
                WorkspaceRemovedFrame,
                MonitorHealth {
    /** The workspace it is about, null when it is about the monitor. */
    @Nullable
    WorkspaceId workspaceId();

    /** Whether it tells a change or is part of a snapshot. */
    FrameKind kind();

    /** The same frame with its place in the log. */
    LoggedFrame at(Position position);
}
