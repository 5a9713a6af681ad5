package org.klangk.health.transport.podman;

import java.time.Duration;
import org.klangk.health.workspace.WorkspaceId;

/**
 * How long sessions live and what is done where none can be had.
 *
 * @param life after that a session is opened anew, because the environment in it is as old as it is
 * @param attempts so many sessions in a row may be lost before execs serve in their place
 * @param retry after that a session is tried again
 */
record SessionLimits(Duration life, int attempts, Duration retry) {
    private static final int SPREAD = 8;

    static SessionLimits standard() {
        return new SessionLimits(Duration.ofHours(1), 3, Duration.ofHours(1));
    }

    /** Up to an eighth less, each workspace its own, so that what began together does not end together. */
    static Duration spread(Duration duration, WorkspaceId id) {
        long part = duration.toMillis() / SPREAD;
        return part == 0
                ? duration
                : duration.minusMillis(Math.floorMod(id.value().hashCode() * 0x9E3779B9L, part));
    }
}
