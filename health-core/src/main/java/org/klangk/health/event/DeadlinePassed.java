package org.klangk.health.event;

import java.time.Instant;
import org.klangk.health.workspace.WorkspaceId;

/**
 * Time alone changed what is known of a workspace: it was not checked for too long.
 */
public record DeadlinePassed(Instant at, WorkspaceId workspaceId) implements WorkspaceEvent {}
