package org.klangk.health.probe;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.klangk.health.event.ContainerRun;
import org.klangk.health.workspace.HealthCheck;
import org.klangk.health.workspace.Workspace;
import org.klangk.health.workspace.WorkspaceId;

/**
 * One run of a check.
 *
 * @param workspaceId whose check
 * @param containerId the container, by its full id, never by a name that another could have taken
 * @param incarnation number of the container's run
 * @param check what to run
 * @param user as whom, null for the container's own user
 * @param home {@code HOME}, null for that user's in the container
 * @param workdir where, null for the container's own directory
 * @param timeout how long its process may take
 * @param interval after which the next run is to be expected
 */
public record ProbeRequest(
        WorkspaceId workspaceId,
        String containerId,
        long incarnation,
        HealthCheck check,
        @Nullable String user,
        @Nullable String home,
        @Nullable String workdir,
        Duration timeout,
        Duration interval) {

    /** A run of {@code check} in the container run {@code run} of a workspace. */
    public static ProbeRequest of(Workspace workspace, HealthCheck check, ContainerRun run, long incarnation) {
        return new ProbeRequest(
                workspace.id(),
                run.containerId(),
                incarnation,
                check,
                workspace.user(),
                workspace.home(),
                workspace.workdir(),
                workspace.policy().timeout(),
                workspace.policy().interval());
    }

    /** The same in all but what is run. */
    public ProbeRequest running(HealthCheck other) {
        return new ProbeRequest(workspaceId, containerId, incarnation, other, user, home, workdir, timeout, interval);
    }
}
