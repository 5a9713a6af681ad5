package org.klangk.health.event;

import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.klangk.health.workspace.WorkspaceId;

/**
 * A workspace is no longer watched.
 *
 * @param actor the user who did it, null when it is not known
 */
public record WorkspaceRemoved(
        Instant at, WorkspaceId workspaceId, @Nullable String actor) implements WorkspaceEvent {
    /** One of which it is not known who did it. */
    public WorkspaceRemoved(Instant at, WorkspaceId workspaceId) {
        this(at, workspaceId, null);
    }
}
