package org.klangk.health.event;

import java.time.Instant;
import org.klangk.health.workspace.WorkspaceId;

/**
 * A workspace is no longer watched.
 */
public record WorkspaceRemoved(Instant at, WorkspaceId workspaceId) implements WorkspaceEvent {}
