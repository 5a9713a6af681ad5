package org.klangk.health.frame;

import java.time.Duration;
import java.time.Instant;

/**
 * A token came through scheduler, writer, journal and publisher, and no due check has waited for longer than its interval.
 *
 * @param timestamp when the writer took it
 * @param period how often to expect one
 * @param watched workspaces that are checked
 * @param inFlight checks running
 * @param worstLateness how late the latest check was, or is, since the last beat
 */
public record Heartbeat(
        Instant timestamp, Position position, Duration period, int watched, int inFlight, Duration worstLateness)
        implements StreamFrame {
    @Override
    public FrameType type() {
        return FrameType.SERVICE_HEALTH_HEARTBEAT;
    }
}
