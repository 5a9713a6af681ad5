package org.klangk.health.frame;

import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.klangk.health.state.HealthState;
import org.klangk.health.workspace.WorkspaceId;

/**
 * A workspace's state where no {@link ServiceHealth} tells it.
 *
 * @param state the state
 * @param reason why nothing is checked, null in every other state
 * @param since when that state began
 */
public record WorkspaceStateFrame(
        WorkspaceId workspaceId,
        HealthState state,
        @Nullable String reason,
        Instant since,
        FrameKind kind,
        Position position)
        implements LoggedFrame {
    @Override
    public FrameType type() {
        return FrameType.WORKSPACE_STATE;
    }

    @Override
    public WorkspaceStateFrame at(Position place) {
        return new WorkspaceStateFrame(workspaceId, state, reason, since, kind, place);
    }
}
