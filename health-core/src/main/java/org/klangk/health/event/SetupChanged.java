package org.klangk.health.event;

import java.time.Instant;
import org.klangk.health.workspace.SetupState;
import org.klangk.health.workspace.WorkspaceId;

/**
 * A workspace's setup came to another state.
 *
 * @param setup the new state
 */
public record SetupChanged(Instant at, WorkspaceId workspaceId, SetupState setup) implements WorkspaceEvent {}
