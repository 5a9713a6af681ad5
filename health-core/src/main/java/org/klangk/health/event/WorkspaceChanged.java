package org.klangk.health.event;

import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.klangk.health.workspace.Workspace;
import org.klangk.health.workspace.WorkspaceId;

/**
 * A workspace's definition was edited.
 *
 * @param workspace the new definition, complete
 * @param actor the user who did it, null when it is not known
 */
public record WorkspaceChanged(
        Instant at, Workspace workspace, @Nullable String actor) implements WorkspaceEvent {
    /** One of which it is not known who did it. */
    public WorkspaceChanged(Instant at, Workspace workspace) {
        this(at, workspace, null);
    }

    @Override
    public WorkspaceId workspaceId() {
        return workspace.id();
    }
}
