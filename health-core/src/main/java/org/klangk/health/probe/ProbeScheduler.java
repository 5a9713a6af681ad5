package org.klangk.health.probe;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.klangk.health.policy.Redaction;
import org.klangk.health.state.WorkspaceHealth;
import org.klangk.health.time.HealthClock;
import org.klangk.health.workspace.ProbeKind;
import org.klangk.health.workspace.WorkspaceId;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/**
 * Runs each workspace's check when it is due. It holds all the waiting and no judgement: results go to a {@link ResultSink}.
 *
 * <p>All of it happens on one single-threaded scheduler; its methods may be called on any thread and only schedule.
 */
public final class ProbeScheduler {
    private final Map<WorkspaceId, Lane> lanes = new HashMap<>();
    private final Lane.Context context;
    private final Scheduler timer;
    private final HealthClock clock;
    private boolean runtimeUp = true;
    private boolean stopped;
    private long worstLateness;

    /**
     * A scheduler that watches nothing yet.
     *
     * @param probes the probe of each kind
     * @param slots how many checks of each kind may be starting at once
     * @param timer single-threaded
     */
    public ProbeScheduler(
            Map<ProbeKind, Probe> probes,
            Map<ProbeKind, Integer> slots,
            ResultSink sink,
            Redaction redaction,
            HealthClock clock,
            Scheduler timer) {
        this.timer = timer;
        this.clock = clock;
        Map<ProbeKind, ProbeBudget> budgets = new EnumMap<>(ProbeKind.class);
        slots.forEach((kind, count) -> budgets.put(kind, new ProbeBudget(count, timer)));
        context = new Lane.Context(
                Map.copyOf(probes), budgets, sink, redaction, clock, timer, () -> runtimeUp, this::late);
    }

    private void late(long nanos) {
        worstLateness = Math.max(worstLateness, nanos);
    }

    /** Takes over workspaces that were known before; their first runs are spread over their intervals. */
    public void recover(Collection<WorkspaceHealth> known) {
        List<WorkspaceHealth> all = List.copyOf(known);
        timer.schedule(() -> all.forEach(health -> update(health, false)));
    }

    /** A workspace changed; a new container run or an edited check is checked at once. */
    public void changed(WorkspaceHealth health) {
        timer.schedule(() -> update(health, true));
    }

    private void update(WorkspaceHealth health, boolean atOnce) {
        if (!stopped) {
            lanes.computeIfAbsent(health.id(), id -> new Lane(id, context)).update(health, atOnce);
        }
    }

    /** A workspace is not watched any more. */
    public void removed(WorkspaceId id) {
        timer.schedule(() -> Optional.ofNullable(lanes.remove(id)).ifPresent(Lane::close));
    }

    /** What runs the containers stopped answering, or answers again; nothing is started while it does not. */
    public void runtime(boolean up) {
        timer.schedule(() -> {
            if (runtimeUp != up) {
                runtimeUp = up;
                lanes.values().forEach(lane -> lane.runtimeChanged(up));
            }
        });
    }

    /**
     * Runs the workspace's check now, or joins the run under way.
     *
     * @return its answer; fails with {@link NotCheckableException} when there is nothing to check
     */
    public Mono<CheckAnswer> check(WorkspaceId id) {
        return Mono.<Mono<CheckAnswer>>fromCallable(() -> {
                    Lane lane = lanes.get(id);
                    return stopped || lane == null
                            ? Mono.error(new NotCheckableException("not watched"))
                            : lane.onDemand();
                })
                .subscribeOn(timer)
                .flatMap(answer -> answer);
    }

    /** How it is doing, and begins to measure lateness anew. */
    public Mono<Pulse> pulse() {
        return Mono.fromCallable(this::takePulse).subscribeOn(timer);
    }

    private Pulse takePulse() {
        long now = clock.nanos().getAsLong();
        int watched = 0;
        int inFlight = 0;
        boolean keepsUp = true;
        long worst = worstLateness;
        for (Lane lane : lanes.values()) {
            watched += lane.watches() ? 1 : 0;
            inFlight += lane.running() ? 1 : 0;
            long waiting = lane.waiting(now);
            worst = Math.max(worst, waiting);
            keepsUp &= waiting <= lane.interval().toNanos();
        }
        worstLateness = 0;
        return new Pulse(watched, inFlight, Duration.ofNanos(worst), keepsUp);
    }

    /** When the workspace's next run is planned, empty when none is. */
    public Mono<Instant> nextCheckAt(WorkspaceId id) {
        return Mono.fromCallable(() -> {
                    Lane lane = lanes.get(id);
                    Long planned = lane == null ? null : lane.planned();
                    return planned == null ? null : wallOf(planned);
                })
                .subscribeOn(timer);
    }

    private @Nullable Instant wallOf(long nanos) {
        return clock.wall().get().plusNanos(nanos - clock.nanos().getAsLong());
    }

    /** Starts nothing more and ends every run. */
    public Mono<Void> stop() {
        return Mono.<Void>fromRunnable(() -> {
                    stopped = true;
                    lanes.values().forEach(Lane::close);
                    lanes.clear();
                })
                .subscribeOn(timer);
    }
}
