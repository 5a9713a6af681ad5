package org.klangk.health.event;

import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.klangk.health.workspace.SetupState;
import org.klangk.health.workspace.WorkspaceId;

/**
 * A workspace's setup came to another state.
 *
 * @param setup the new state
 * @param actor the user who did it, null when it is not known
 */
public record SetupChanged(
        Instant at,
        WorkspaceId workspaceId,
        SetupState setup,
        @Nullable String actor) implements WorkspaceEvent {
    /** One of which it is not known who did it. */
    public SetupChanged(Instant at, WorkspaceId workspaceId, SetupState setup) {
        this(at, workspaceId, setup, null);
    }
}
