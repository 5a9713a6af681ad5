package org.klangk.health.server.bench;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.klangk.health.event.CheckCompleted;
import org.klangk.health.event.CheckOutcome;
import org.klangk.health.event.CheckResult;
import org.klangk.health.event.ContainerRun;
import org.klangk.health.event.ContainerStarted;
import org.klangk.health.event.HealthEvent;
import org.klangk.health.event.WorkspaceDefined;
import org.klangk.health.frame.Position;
import org.klangk.health.pipeline.Board;
import org.klangk.health.pipeline.Candidate;
import org.klangk.health.pipeline.HealthPipeline;
import org.klangk.health.pipeline.Step;
import org.klangk.health.state.Fold;
import org.klangk.health.state.HealthState;
import org.klangk.health.state.WorkspaceHealth;
import org.klangk.health.workspace.HealthDefaults;
import org.klangk.health.workspace.Workspace;
import org.klangk.health.workspace.WorkspaceId;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import reactor.core.publisher.Flux;

/**
 * One passing result after the other, to one workspace after the other. The floor is a loop that does no more than any fold has
 * to: make the event, look the workspace up, keep a new immutable value with a streak and the time.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(
        value = 1,
        jvmArgsAppend = {"-Xmx3g", "-XX:+UseParallelGC"})
public class FoldBenchmark {
    private static final Instant START = Instant.parse("2026-11-30T10:00:00Z");
    private static final int BATCH = 1000;

    /** The least that could be kept. */
    record Bare(boolean passed, int streak, long run, Instant at) {
        Bare and(CheckCompleted event) {
            boolean now = event.result().passed();
            return new Bare(now, now == passed ? streak + 1 : 1, event.run(), event.at());
        }
    }

    /** Everything that is known of a workspace, flat, by hand. */
    record Flat(
            Workspace workspace,
            int checkRevision,
            long incarnation,
            @Nullable Boolean healthy,
            @Nullable String message,
            @Nullable CheckResult last,
            @Nullable Instant checkedAt,
            boolean passed,
            int streak,
            @Nullable Instant lastStart,
            boolean starting,
            Instant watchedSince,
            @Nullable Instant lastResultAt,
            long run,
            HealthState state,
            Instant since) {
        Flat and(CheckCompleted event) {
            if (event.incarnation() != incarnation || event.checkRevision() != checkRevision || event.run() <= run) {
                return this;
            }
            boolean now = event.result().passed();
            HealthState next = now ? HealthState.HEALTHY : HealthState.UNHEALTHY;
            return new Flat(
                    workspace,
                    checkRevision,
                    incarnation,
                    now,
                    event.result().message(),
                    event.result(),
                    event.at(),
                    now,
                    now == passed ? streak + 1 : 1,
                    event.startedAt(),
                    false,
                    watchedSince,
                    event.at(),
                    event.run(),
                    next,
                    next == state ? since : event.at());
        }
    }

    @Param({"1000", "10000", "100000"})
    private int workspaces;

    private final CheckResult passed = new CheckResult(CheckOutcome.PASSED, 0, null);
    private final Duration took = Duration.ofMillis(3);
    private final Map<WorkspaceId, Bare> bare = new HashMap<>();
    private final Map<WorkspaceId, Flat> flat = new HashMap<>();
    private final Map<WorkspaceId, WorkspaceHealth> folded = new HashMap<>();
    private @Nullable Candidate candidate;
    private WorkspaceId[] ids = {};
    private int next;
    private long run;
    private Instant at = START;

    /** Workspaces that run and are healthy. */
    @Setup
    public void define() {
        ids = IntStream.range(0, workspaces)
                .mapToObj(i -> new WorkspaceId("w" + i))
                .toArray(WorkspaceId[]::new);
        List<HealthEvent> events = new ArrayList<>();
        for (WorkspaceId id : ids) {
            Workspace workspace = Workspace.named(id.value())
                    .id(id)
                    .container("gw")
                    .healthCheck("true")
                    .resolve(HealthDefaults.standard());
            WorkspaceDefined defined = new WorkspaceDefined(START, workspace);
            ContainerStarted started = new ContainerStarted(START, id, new ContainerRun("c", START), START);
            folded.put(id, Objects.requireNonNull(Fold.apply(Fold.apply(null, defined), started)));
            bare.put(id, new Bare(false, 0, 0, START));
            flat.put(
                    id,
                    new Flat(
                            workspace,
                            1,
                            1,
                            null,
                            null,
                            null,
                            null,
                            false,
                            0,
                            null,
                            true,
                            START,
                            null,
                            0,
                            HealthState.STARTING,
                            START));
            events.add(defined);
            events.add(started);
        }
        Candidate all = new Candidate(Board.empty(new Position("bench", 0)));
        Flux.fromIterable(events).transform(HealthPipeline.into(all)).blockLast();
        candidate = all;
    }

    private CheckCompleted event() {
        WorkspaceId id = ids[next];
        if (++next == ids.length) {
            next = 0;
            run++;
            at = at.plusSeconds(30);
        }
        return new CheckCompleted(at, id, 1, 1, run + 1, at, took, Duration.ZERO, false, passed);
    }

    /** The floor. */
    @Benchmark
    public Bare bareLoop() {
        CheckCompleted event = event();
        Bare after = Objects.requireNonNull(bare.get(event.workspaceId())).and(event);
        bare.put(event.workspaceId(), after);
        return after;
    }

    /** A floor that keeps all the facts, and knows of no grace, no threshold, no staleness and no edit. */
    @Benchmark
    public Flat bareLoopOfAllFacts() {
        CheckCompleted event = event();
        Flat after = Objects.requireNonNull(flat.get(event.workspaceId())).and(event);
        flat.put(event.workspaceId(), after);
        return after;
    }

    /** Judgement and fold. */
    @Benchmark
    public WorkspaceHealth fold() {
        CheckCompleted event = event();
        WorkspaceHealth after = Objects.requireNonNull(Fold.apply(folded.get(event.workspaceId()), event));
        folded.put(event.workspaceId(), after);
        return after;
    }

    /** Everything between the writer and the journal: the operators, a batch at a time. */
    @Benchmark
    @OperationsPerInvocation(BATCH)
    public Step pipeline() {
        List<HealthEvent> batch = new ArrayList<>(BATCH);
        for (int i = 0; i < BATCH; i++) {
            batch.add(event());
        }
        return Objects.requireNonNull(Flux.fromIterable(batch)
                .transform(HealthPipeline.into(Objects.requireNonNull(candidate)))
                .blockLast());
    }
}
