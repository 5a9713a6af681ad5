package org.klangk.health.workspace;

import java.time.Duration;

/**
 * When a check runs and how many results make a verdict.
 *
 * @param interval from one planned run to the next; 1 s to 1 day
 * @param timeout how long one run may take, counted from the start of its process; 1 ms to 5 min
 * @param startupGrace how long after the service's start a failing result is not counted; zero means no grace, at most 1 day
 * @param startInterval the interval while the workspace is starting; 100 ms to 1 day
 * @param failuresBeforeUnhealthy consecutive results that are not a pass; 1 to 1000
 * @param successesBeforeHealthy consecutive passes; 1 to 1000
 */
public record CheckPolicy(
        Duration interval,
        Duration timeout,
        Duration startupGrace,
        Duration startInterval,
        int failuresBeforeUnhealthy,
        int successesBeforeHealthy) {

    /** How long a workspace whose service was never launched may stay in grace. */
    public static final Duration SERVICE_START_DEADLINE = Duration.ofMinutes(10);
}
