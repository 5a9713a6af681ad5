package org.klangk.health.probe;

import java.time.Duration;
import org.klangk.health.event.CheckResult;
import org.klangk.health.workspace.WorkspaceId;

/**
 * A run that gave a result, as the scheduler hands it on.
 *
 * @param incarnation the container run it ran in
 * @param checkRevision which edition of the check it ran
 * @param run its number
 * @param startedNanos monotonic reading at its start
 */
public record RunReport(
        WorkspaceId workspaceId,
        long incarnation,
        int checkRevision,
        long run,
        long startedNanos,
        Duration duration,
        Duration startDelay,
        boolean onDemand,
        CheckResult result) {}
