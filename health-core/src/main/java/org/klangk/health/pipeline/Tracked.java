package org.klangk.health.pipeline;

import org.klangk.health.state.WorkspaceHealth;

/**
 * One workspace as the pipeline keeps it.
 *
 * @param health what is known
 * @param told what was told
 */
public record Tracked(WorkspaceHealth health, Told told) {}
