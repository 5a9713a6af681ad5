package org.klangk.health.event;

import java.time.Instant;
import org.klangk.health.workspace.WorkspaceId;

/**
 * The frozen container runs again.
 */
public record ContainerResumed(Instant at, WorkspaceId workspaceId) implements WorkspaceEvent {}
