package org.klangk.health.frame;

import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.klangk.health.event.CheckOutcome;
import org.klangk.health.state.HealthState;
import org.klangk.health.workspace.WorkspaceId;

/**
 * A workspace's verdict: the first, every turn of it, and the last word when its container dies.
 *
 * @param healthy the verdict; false when the container died
 * @param healthMessage why it is not healthy, null when it is or when its container was stopped on request
 * @param running whether its container runs
 * @param healthCheckedAt when the last counted result came, null when none did
 * @param seq number of this frame among this workspace's, gapless
 * @param name the workspace's name
 * @param state the state it comes with
 * @param since when that state began
 * @param outcome the last counted result, null when there is none
 * @param exitCode its exit code, null when there is none
 * @param incarnation the container run it is about
 */
public record ServiceHealth(
        WorkspaceId workspaceId,
        boolean healthy,
        @Nullable String healthMessage,
        boolean running,
        @Nullable Instant healthCheckedAt,
        long seq,
        FrameKind kind,
        String name,
        HealthState state,
        Instant since,
        @Nullable CheckOutcome outcome,
        @Nullable Integer exitCode,
        long incarnation,
        Position position)
        implements LoggedFrame {
    @Override
    public FrameType type() {
        return FrameType.SERVICE_HEALTH;
    }

    @Override
    public ServiceHealth at(Position place) {
        return new ServiceHealth(
                workspaceId,
                healthy,
                healthMessage,
                running,
                healthCheckedAt,
                seq,
                kind,
                name,
                state,
                since,
                outcome,
                exitCode,
                incarnation,
                place);
    }
}
