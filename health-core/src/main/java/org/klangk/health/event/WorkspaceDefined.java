package org.klangk.health.event;

import java.time.Instant;
import org.klangk.health.workspace.Workspace;
import org.klangk.health.workspace.WorkspaceId;

/**
 * A workspace is watched from now on.
 *
 * @param workspace its definition, complete
 */
public record WorkspaceDefined(Instant at, Workspace workspace) implements WorkspaceEvent {
    @Override
    public WorkspaceId workspaceId() {
        return workspace.id();
    }
}
