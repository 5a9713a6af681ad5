package org.klangk.health.event;

import java.time.Instant;
import org.klangk.health.workspace.WorkspaceId;

/**
 * The container run ended.
 *
 * @param run which run
 * @param cause why, as far as it is known
 */
public record ContainerStopped(Instant at, WorkspaceId workspaceId, ContainerRun run, StopCause cause)
        implements WorkspaceEvent {}
