package org.klangk.health.probe;

import java.time.Duration;

/**
 * How the scheduler is doing.
 *
 * @param watched workspaces that are checked
 * @param inFlight checks running
 * @param worstLateness how late the latest check was, or is by now, since the pulse before
 * @param keepsUp false when a due check has waited for longer than its interval
 */
public record Pulse(int watched, int inFlight, Duration worstLateness, boolean keepsUp) {}
