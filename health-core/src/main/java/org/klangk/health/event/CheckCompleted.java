package org.klangk.health.event;

import java.time.Duration;
import java.time.Instant;
import org.klangk.health.workspace.WorkspaceId;

/**
 * A check ran and gave a result. Attempts that said nothing about the service are no events.
 *
 * @param incarnation the container run it ran in
 * @param checkRevision which edition of the check it ran
 * @param run number of the run, rising per workspace
 * @param startedAt when its process was started
 * @param duration how long it took
 * @param startDelay how long it was due before it could start
 * @param onDemand whether somebody asked for it, rather than the schedule
 * @param result what it said
 */
public record CheckCompleted(
        Instant at,
        WorkspaceId workspaceId,
        long incarnation,
        int checkRevision,
        long run,
        Instant startedAt,
        Duration duration,
        Duration startDelay,
        boolean onDemand,
        CheckResult result)
        implements WorkspaceEvent {}
