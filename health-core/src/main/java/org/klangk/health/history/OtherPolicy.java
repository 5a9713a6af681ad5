package org.klangk.health.history;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.klangk.health.workspace.HealthDefaults;
import org.klangk.health.workspace.Workspace;

/**
 * A policy to try on the past; what is null is as it was.
 *
 * @param failures consecutive results that are not a pass and make a workspace unhealthy
 * @param successes consecutive passes that make it healthy
 * @param grace how long after a start a failing result is not counted
 */
public record OtherPolicy(
        @Nullable Integer failures,
        @Nullable Integer successes,
        @Nullable Duration grace) {
    /** As it was. */
    public static final OtherPolicy NONE = new OtherPolicy(null, null, null);

    /** The workspace under this policy; an {@code InvalidWorkspaceException} when there is no such policy. */
    Workspace of(Workspace workspace) {
        if (equals(NONE)) {
            return workspace;
        }
        var policy = workspace.policy();
        return workspace
                .edit()
                .failuresBeforeUnhealthy(
                        failures == null ? Integer.valueOf(policy.failuresBeforeUnhealthy()) : failures)
                .successesBeforeHealthy(
                        successes == null ? Integer.valueOf(policy.successesBeforeHealthy()) : successes)
                .startupGrace(grace == null ? policy.startupGrace() : grace)
                .resolve(HealthDefaults.standard());
    }
}
