package org.klangk.health.event;

import java.time.Instant;
import org.klangk.health.workspace.WorkspaceId;

/**
 * The container run ended.
 *
 * @param run which run
 * @param cause why, as far as it is known
 * @param endedAt when it ended, as far as it is known; never after {@code at}
 */
public record ContainerStopped(Instant at, WorkspaceId workspaceId, ContainerRun run, StopCause cause, Instant endedAt)
        implements WorkspaceEvent {
    /** One that ended just now. */
    public ContainerStopped(Instant at, WorkspaceId workspaceId, ContainerRun run, StopCause cause) {
        this(at, workspaceId, run, cause, at);
    }
}
