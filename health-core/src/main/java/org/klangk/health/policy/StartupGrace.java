package org.klangk.health.policy;

import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.klangk.health.workspace.CheckPolicy;
import org.klangk.health.workspace.Workspace;

/** Until when a service that has just started may fail without being judged. */
public final class StartupGrace {
    private StartupGrace() {}

    /**
     * The end of grace: a check started before it that does not pass is not counted.
     *
     * @param workspace its definition
     * @param containerStarted when the container run began
     * @param serviceStarted when the service was launched in it, null when it was not
     * @return null where there is no grace at all
     */
    public static @Nullable Instant until(
            Workspace workspace, Instant containerStarted, @Nullable Instant serviceStarted) {
        CheckPolicy policy = workspace.policy();
        if (policy.startupGrace().isZero()) {
            return null;
        }
        if (serviceStarted != null) {
            return serviceStarted.plus(policy.startupGrace());
        }
        return workspace.serviceCommand() == null
                ? containerStarted.plus(policy.startupGrace())
                : containerStarted.plus(CheckPolicy.SERVICE_START_DEADLINE);
    }
}
