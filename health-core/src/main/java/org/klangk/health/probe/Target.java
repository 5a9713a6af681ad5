package org.klangk.health.probe;

import org.jspecify.annotations.Nullable;
import org.klangk.health.event.ContainerRun;
import org.klangk.health.state.WorkspaceHealth;
import org.klangk.health.workspace.HealthCheck;
import org.klangk.health.workspace.Workspace;

/**
 * What a run is a run of. While it stays the same, results are of the present.
 *
 * @param workspace the definition
 * @param check its check
 * @param run the container run
 * @param incarnation its number
 * @param checkRevision edition of the check
 */
record Target(Workspace workspace, HealthCheck check, ContainerRun run, long incarnation, int checkRevision) {

    /** What is to be checked, null when nothing is. */
    static @Nullable Target of(WorkspaceHealth health) {
        HealthCheck check = health.workspace().healthCheck();
        ContainerRun run = health.container().run();
        return !health.checkable() || check == null || run == null
                ? null
                : new Target(health.workspace(), check, run, health.container().incarnation(), health.checkRevision());
    }

    ProbeRequest request() {
        return ProbeRequest.of(workspace, check, run, incarnation);
    }

    /** Whether a run of {@code other} is still a run of this. */
    boolean sameRunAs(@Nullable Target other) {
        return other != null
                && incarnation == other.incarnation
                && checkRevision == other.checkRevision
                && run.equals(other.run)
                && workspace.probe() == other.workspace.probe();
    }
}
