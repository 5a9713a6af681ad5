package org.klangk.health.event;

import java.time.Instant;
import org.klangk.health.workspace.WorkspaceId;

/**
 * A container run began: the workspace's next incarnation.
 *
 * @param run which run
 * @param startedAt when it began, by the writer's clock; never after {@code at}
 */
public record ContainerStarted(Instant at, WorkspaceId workspaceId, ContainerRun run, Instant startedAt)
        implements WorkspaceEvent {}
