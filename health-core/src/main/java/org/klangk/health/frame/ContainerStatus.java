package org.klangk.health.frame;

import org.klangk.health.workspace.WorkspaceId;

/**
 * A workspace's container started or stopped.
 *
 * @param running whether it runs now
 * @param containerId the runtime's id of it
 */
public record ContainerStatus(WorkspaceId workspaceId, boolean running, String containerId, Position position)
        implements LoggedFrame {
    @Override
    public FrameType type() {
        return FrameType.CONTAINER_STATUS;
    }

    @Override
    public FrameKind kind() {
        return FrameKind.CHANGE;
    }

    @Override
    public ContainerStatus at(Position place) {
        return new ContainerStatus(workspaceId, running, containerId, place);
    }
}
