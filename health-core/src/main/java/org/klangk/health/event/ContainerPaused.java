package org.klangk.health.event;

import java.time.Instant;
import org.klangk.health.workspace.WorkspaceId;

/**
 * The running container was frozen; nothing is checked in it meanwhile.
 */
public record ContainerPaused(Instant at, WorkspaceId workspaceId) implements WorkspaceEvent {}
