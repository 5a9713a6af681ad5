package org.klangk.health.state;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.klangk.health.event.ContainerRun;
import org.klangk.health.event.StopCause;

/**
 * What is known of a workspace's container.
 *
 * @param incarnation number of the current or last run, 0 before the first
 * @param run the running one, null while none runs
 * @param ended the last one that ended, null before the first end and when another container was named since
 * @param startedAt when the current or last run began, by the writer's clock; null before the first
 * @param serviceStartedAt when the service was launched in this run, null when it was not
 * @param paused whether the run is frozen
 * @param stopCause why the last run ended, null while one runs and before the first
 */
public record ContainerHistory(
        long incarnation,
        @Nullable ContainerRun run,
        @Nullable ContainerRun ended,
        @Nullable Instant startedAt,
        @Nullable Instant serviceStartedAt,
        boolean paused,
        @Nullable StopCause stopCause) {

    static final ContainerHistory NONE = new ContainerHistory(0, null, null, null, null, false, null);

    /** Whether a container runs (a paused one does). */
    public boolean running() {
        return run != null;
    }

    ContainerHistory started(ContainerRun newRun, Instant at) {
        return new ContainerHistory(incarnation + 1, newRun, ended, at, null, false, null);
    }

    ContainerHistory stopped(StopCause cause) {
        return new ContainerHistory(incarnation, null, run, startedAt, serviceStartedAt, false, cause);
    }

    /** Another container is named from now on; what the old one did says nothing of it. */
    ContainerHistory renamed() {
        return new ContainerHistory(incarnation, run, null, startedAt, serviceStartedAt, paused, stopCause);
    }

    ContainerHistory paused(boolean value) {
        return new ContainerHistory(incarnation, run, ended, startedAt, serviceStartedAt, value, stopCause);
    }

    ContainerHistory serviceStarted(Instant at) {
        return new ContainerHistory(incarnation, run, ended, startedAt, at, paused, stopCause);
    }

    ContainerHistory shift(Duration jump) {
        return new ContainerHistory(
                incarnation,
                run,
                ended,
                Times.shift(startedAt, jump),
                Times.shift(serviceStartedAt, jump),
                paused,
                stopCause);
    }
}
