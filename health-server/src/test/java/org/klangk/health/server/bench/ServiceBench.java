package org.klangk.health.server.bench;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.klangk.health.frame.Frame;
import org.klangk.health.frame.ServiceHealth;
import org.klangk.health.history.HistoryKind;
import org.klangk.health.history.HistoryQuery;
import org.klangk.health.history.ResultRun;
import org.klangk.health.service.HealthService;
import org.klangk.health.service.WorkspaceStatus;
import org.klangk.health.stream.WatchRequest;
import org.klangk.health.transport.podman.PodmanRuntime;
import org.klangk.health.transport.podman.TestPodman;
import org.klangk.health.workspace.Workspace;
import org.klangk.health.workspace.WorkspaceDraft;
import org.klangk.health.workspace.WorkspaceId;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** The whole service on real containers. */
final class ServiceBench implements AutoCloseable {
    private final TestPodman podman = TestPodman.get();
    private final HealthService health = HealthService.builder()
            .runtime(PodmanRuntime.connect(podman.socket()))
            .build();
    private final Queue<Frame> frames = new ConcurrentLinkedQueue<>();
    private final int containers;

    private ServiceBench(int containers) {
        this.containers = containers;
        for (int i = 0; i < containers; i++) {
            podman.container("svc" + i);
        }
        health.start().block(ProbeBench.LONG);
        health.stream().watch(WatchRequest.all()).subscribe(frames::add);
    }

    @Override
    public void close() {
        health.stop().block(ProbeBench.LONG);
        for (int i = 0; i < containers; i++) {
            podman.remove("svc" + i);
        }
    }

    private WorkspaceDraft workspace(int i) {
        return Workspace.named("w" + i)
                .id(new WorkspaceId("w" + i))
                .container("svc" + i % containers)
                .healthCheck("true")
                .startupGrace(Duration.ZERO);
    }

    /** Every one is checked at its default interval: what this process takes for it, and how late checks begin. */
    static void workspaces(int count, int seconds) {
        try (ServiceBench bench = new ServiceBench(100)) {
            Flux.range(0, count)
                    .concatMap(i -> bench.health.define(bench.workspace(i)))
                    .blockLast(Duration.ofMinutes(10));
            bench.awaitResults(count);
            Mono.delay(Duration.ofSeconds(60)).block();
            long ranBefore = bench.ran(count);
            Cpu before = Cpu.now();
            Mono.delay(Duration.ofSeconds(seconds)).block();
            Cpu used = Cpu.now().since(before);
            Latencies delays = new Latencies();
            AtomicInteger others = new AtomicInteger();
            AtomicLong checks = new AtomicLong(-ranBefore);
            bench.runs(count)
                    .doOnNext(run -> {
                        checks.addAndGet(run.count());
                        delays.add(run.longestStartDelay().toNanos());
                        others.addAndGet(run.first().result().passed() ? 0 : 1);
                    })
                    .blockLast(ProbeBench.LONG);
            Bench.line(
                    "%d workspaces on 100 containers, %d checks in %d s, %d runs that did not pass, %d frames in all",
                    count, checks.get(), seconds, others.get(), bench.frames.size());
            Bench.line(
                    "  this JVM %.1f %% of one core, the machine %.1f %%; a workspace's latest began late by p50 %.1f ms, p99 %.1f ms, at most %.1f ms",
                    100 * used.process() / used.millis(),
                    100 * used.machine() / used.millis(),
                    delays.percentile(0.5),
                    delays.percentile(0.99),
                    delays.percentile(1));
        }
    }

    private void awaitResults(int count) {
        while (Objects.requireNonNull(health.list().block(ProbeBench.LONG)).stream()
                        .map(WorkspaceStatus::health)
                        .filter(known -> known.lastResultAt() != null)
                        .count()
                < count) {
            Mono.delay(Duration.ofMillis(500)).block();
        }
    }

    /** Checks that would pass, as a user all of whose processes are killed every so often. */
    static void killed(Duration every, Duration total) {
        try (ServiceBench bench = new ServiceBench(1)) {
            int count = 4;
            for (int i = 0; i < count; i++) {
                bench.health
                        .define(bench.workspace(i)
                                .user("user")
                                .healthCheck(i % 2 == 0 ? "true" : "sleep 0.3")
                                .interval(Duration.ofSeconds(1)))
                        .block(ProbeBench.LONG);
            }
            bench.awaitResults(count);
            Instant from = Instant.now();
            List<Long> ranBefore = bench.ranEach(count);
            long kills = total.toMillis() / every.toMillis();
            Flux.interval(every)
                    .onBackpressureDrop()
                    .take(kills)
                    .concatMap(tick -> Mono.fromCallable(
                            () -> bench.podman.exitCode("exec", "--user", "user", "svc0", "bash", "-c", "kill -9 -1")))
                    .blockLast(total.plus(ProbeBench.LONG));
            Mono.delay(Duration.ofSeconds(5)).block();
            List<String> states = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                WorkspaceStatus status = Objects.requireNonNull(
                        bench.health.current(new WorkspaceId("w" + i)).block());
                states.add(status.state().state() + " by " + status.probe());
            }
            Bench.line(
                    "%d kills in %d s: %d frames say unhealthy, %d in all; results per workspace %s; now %s",
                    kills,
                    Duration.between(from, Instant.now()).toSeconds(),
                    bench.frames.stream()
                            .filter(frame -> frame instanceof ServiceHealth told && !told.healthy())
                            .count(),
                    bench.frames.size(),
                    bench.since(ranBefore),
                    states);
        }
    }

    private Flux<ResultRun> runs(int count) {
        return Flux.range(0, count).concatMap(this::runsOf);
    }

    private Flux<ResultRun> runsOf(int i) {
        return health.past()
                .history(new WorkspaceId("w" + i), new HistoryQuery(null, 10_000, Set.of(HistoryKind.RESULT)))
                .flatMapIterable(entries -> entries)
                .cast(ResultRun.class);
    }

    private long ran(int count) {
        return ranEach(count).stream().mapToLong(Long::longValue).sum();
    }

    private List<Long> ranEach(int count) {
        return Objects.requireNonNull(Flux.range(0, count)
                .concatMap(i -> runsOf(i).map(ResultRun::count).reduce(0L, Long::sum))
                .collectList()
                .block(ProbeBench.LONG));
    }

    private List<Long> since(List<Long> before) {
        List<Long> now = ranEach(before.size());
        return IntStream.range(0, now.size())
                .mapToObj(i -> now.get(i) - before.get(i))
                .toList();
    }
}
