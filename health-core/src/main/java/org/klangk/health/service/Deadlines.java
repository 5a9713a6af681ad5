package org.klangk.health.service;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.klangk.health.state.WorkspaceHealth;
import org.klangk.health.time.HealthClock;
import org.klangk.health.workspace.WorkspaceId;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/**
 * Notices when time alone changes a workspace's state. One timer per workspace, set once and looked at when it fires, because
 * the deadline moves with every result and hardly ever comes. On the scheduler's thread only.
 */
final class Deadlines {
    private static final Logger log = LoggerFactory.getLogger(Deadlines.class);

    private final Function<WorkspaceId, @Nullable WorkspaceHealth> current;
    private final Function<WorkspaceId, Mono<Boolean>> passed;
    private final HealthClock clock;
    private final Scheduler timer;
    private final Map<WorkspaceId, Disposable> timers = new HashMap<>();

    Deadlines(
            Function<WorkspaceId, @Nullable WorkspaceHealth> current,
            Function<WorkspaceId, Mono<Boolean>> passed,
            HealthClock clock,
            Scheduler timer) {
        this.current = current;
        this.passed = passed;
        this.clock = clock;
        this.timer = timer;
    }

    void changed(WorkspaceHealth health) {
        timer.schedule(() -> {
            if (!timers.containsKey(health.id())) {
                arm(health);
            }
        });
    }

    void removed(WorkspaceId id) {
        timer.schedule(() -> {
            Disposable armed = timers.remove(id);
            if (armed != null) {
                armed.dispose();
            }
        });
    }

    private void arm(WorkspaceHealth health) {
        Instant deadline = health.staleAt();
        if (deadline == null) {
            return;
        }
        long wait = Duration.between(clock.wall().get(), deadline).toMillis();
        WorkspaceId id = health.id();
        timers.put(id, timer.schedule(() -> fire(id), Math.max(1, wait), TimeUnit.MILLISECONDS));
    }

    private void fire(WorkspaceId id) {
        timers.remove(id);
        WorkspaceHealth health = current.apply(id);
        if (health == null || health.staleAt() == null) {
            return;
        }
        if (clock.wall().get().isBefore(health.staleAt())) {
            arm(health);
            return;
        }
        // Stale now: the next result, which changes the workspace, arms the timer again.
        passed.apply(id).subscribe(told -> {}, error -> log.warn("a deadline of workspace {} was not told", id, error));
    }
}
