package org.klangk.health.event;

import java.time.Instant;
import org.klangk.health.workspace.Workspace;
import org.klangk.health.workspace.WorkspaceId;

/**
 * A workspace's definition was edited.
 *
 * @param workspace the new definition, complete
 */
public record WorkspaceChanged(Instant at, Workspace workspace) implements WorkspaceEvent {
    @Override
    public WorkspaceId workspaceId() {
        return workspace.id();
    }
}
