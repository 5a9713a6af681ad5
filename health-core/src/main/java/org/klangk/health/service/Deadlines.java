package org.klangk.health.service;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.klangk.health.policy.Staleness;
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
    private @Nullable Instant recoveredAt;

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

    /**
     * Takes over workspaces that were known before. What grew stale while nobody watched is shown as such, but told only when it
     * is not checked for as long again from now on: a restart is silent.
     */
    void recover(Collection<WorkspaceHealth> known) {
        List<WorkspaceHealth> all = List.copyOf(known);
        timer.schedule(() -> {
            recoveredAt = clock.wall().get();
            all.forEach(this::arm);
        });
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

    /** When staleness is told if no result comes before; null while nothing is checked. */
    private @Nullable Instant deadline(WorkspaceHealth health) {
        Instant deadline = health.staleAt();
        Instant earliest = recoveredAt == null
                ? null
                : Staleness.deadline(health.workspace().policy(), recoveredAt);
        return deadline == null || earliest == null || deadline.isAfter(earliest) ? deadline : earliest;
    }

    private void arm(WorkspaceHealth health) {
        Instant deadline = deadline(health);
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
        Instant deadline = health == null ? null : deadline(health);
        if (health == null || deadline == null) {
            return;
        }
        if (clock.wall().get().isBefore(deadline)) {
            arm(health);
            return;
        }
        // Stale now: the next result, which changes the workspace, arms the timer again.
        passed.apply(id).subscribe(told -> {}, error -> log.warn("a deadline of workspace {} was not told", id, error));
    }
}
