package org.klangk.health.event;

import java.time.Instant;
import org.klangk.health.workspace.WorkspaceId;

/**
 * The service inside the running container was launched; grace counts from here.
 */
public record ServiceStarted(Instant at, WorkspaceId workspaceId) implements WorkspaceEvent {}
