package org.klangk.health.event;

import org.klangk.health.workspace.WorkspaceId;

/** A fact about one workspace. */
public sealed interface WorkspaceEvent extends HealthEvent
        permits WorkspaceDefined,
                WorkspaceChanged,
                WorkspaceRemoved,
                SetupChanged,
                ServiceStarted,
                ContainerStarted,
                ContainerStopped,
                ContainerPaused,
                ContainerResumed,
                CheckCompleted,
                DeadlinePassed {
    /** The workspace it is about. */
    WorkspaceId workspaceId();
}
