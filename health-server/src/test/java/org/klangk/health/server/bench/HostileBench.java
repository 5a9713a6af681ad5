package org.klangk.health.server.bench;

import java.io.File;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.klangk.health.event.CheckOutcome;
import org.klangk.health.probe.Probe;
import org.klangk.health.probe.ProbeRequest;
import org.klangk.health.probe.ProbeResult;
import org.klangk.health.transport.podman.PodmanRuntime;
import org.klangk.health.transport.podman.TestPodman;
import org.klangk.health.workspace.HealthCheck;
import org.klangk.health.workspace.ProbeKind;
import org.klangk.health.workspace.WorkspaceId;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Many checks, a third of which hang, fork, flood or kill the shell around them: what is left of them, counted before and after. */
final class HostileBench {
    private static final int CONTAINERS = 8;
    private static final int WORKSPACES = 16;
    private static final Duration TIMEOUT = Duration.ofMillis(500);
    private static final Duration INTERVAL = Duration.ofMinutes(10);
    private static final List<String> BAD = List.of(
            "sleep 3600",
            "sleep 3600 & (setsid bash -c 'sleep 3600 & sleep 3600' &); sleep 3600",
            "yes flood",
            "(setsid sleep 3600 &); kill -9 $PPID; sleep 3600");
    private static final int KILLS = 3;

    private final TestPodman podman = TestPodman.get();
    private final PodmanRuntime runtime = PodmanRuntime.connect(podman.socket());
    private final Probe session = runtime.probe(ProbeKind.SESSION);
    private final List<String> ids = new ArrayList<>();
    private final AtomicInteger wrong = new AtomicInteger();
    private final AtomicInteger nothing = new AtomicInteger();

    private HostileBench() {
        for (int i = 0; i < CONTAINERS; i++) {
            // The first process has to take up orphans, or the dead would fill the container.
            ids.add(podman.container(
                    "hostile" + i, TestPodman.IMAGE, "bash", "-c", "while :; do sleep 1000 & wait; done"));
        }
    }

    static void run(int count) {
        HostileBench bench = new HostileBench();
        try {
            // What is loaded and opened once is no leak.
            bench.all(WORKSPACES * 20);
            bench.report("before");
            long began = System.nanoTime();
            bench.wrong.set(0);
            bench.nothing.set(0);
            bench.all(count);
            Bench.line(
                    "%d checks in %.0f s: %d without a result, %d wrong",
                    count, (System.nanoTime() - began) / 1e9, bench.nothing.get(), bench.wrong.get());
            bench.report("after");
        } finally {
            bench.runtime.close().block(ProbeBench.LONG);
            for (int i = 0; i < CONTAINERS; i++) {
                bench.podman.remove("hostile" + i);
            }
        }
    }

    private void all(int count) {
        Flux.range(0, WORKSPACES)
                .flatMap(
                        workspace -> Flux.range(0, count / WORKSPACES)
                                .concatMap(round -> check(workspace, round * WORKSPACES + workspace + round)),
                        WORKSPACES)
                .blockLast(Duration.ofHours(1));
    }

    private Mono<ProbeResult> check(int workspace, int i) {
        int kind = i % (3 * BAD.size());
        boolean bad = kind < BAD.size();
        int code = i % 2;
        ProbeRequest request = new ProbeRequest(
                new WorkspaceId("w" + workspace),
                ids.get(workspace % CONTAINERS),
                1,
                new HealthCheck(bad ? BAD.get(kind) : "exit " + code),
                null,
                null,
                null,
                bad ? TIMEOUT : Duration.ofSeconds(10),
                INTERVAL);
        return session.run(request).doOnNext(result -> {
            if (result instanceof ProbeResult.Completed completed) {
                boolean right = bad
                        ? kind != KILLS && completed.outcome() == CheckOutcome.TIMED_OUT && completed.survivors() == 0
                        : Objects.equals(completed.exitCode(), code);
                wrong.addAndGet(right ? 0 : 1);
            } else {
                nothing.incrementAndGet();
            }
        });
    }

    private void report(String when) {
        for (int i = 0; i < WORKSPACES; i++) {
            session.release(new WorkspaceId("w" + i));
        }
        Mono.delay(ProbeBench.CLEANUP).block();
        int processes = 0;
        int records = 0;
        for (int i = 0; i < CONTAINERS; i++) {
            processes += podman.processes("hostile" + i).size();
            records += Integer.parseInt(podman.cli("inspect", "--format", "{{len .ExecIDs}}", "hostile" + i)
                    .strip());
        }
        System.gc();
        Runtime jvm = Runtime.getRuntime();
        Bench.line(
                "%-6s processes in %d containers %d, exec records %d, conmon %d, descriptors %d, heap %.1f MB",
                when,
                CONTAINERS,
                processes,
                records,
                ProcessHandle.allProcesses()
                        .filter(process -> process.info().command().orElse("").endsWith("/conmon"))
                        .count(),
                Objects.requireNonNull(new File("/proc/self/fd").list()).length,
                (jvm.totalMemory() - jvm.freeMemory()) / 1e6);
    }
}
