package org.klangk.health.server.bench;

import java.lang.management.ManagementFactory;
import java.time.Instant;
import java.util.Objects;
import org.klangk.health.server.auth.Authenticator;
import org.klangk.health.server.http.HealthServer;
import org.klangk.health.service.HealthService;
import org.klangk.health.testing.ScriptedRuntime;
import org.klangk.health.workspace.Workspace;
import reactor.core.publisher.Flux;

/** What is on the heap for a workspace that was checked once, and for a connection that waits. */
final class MemoryBench {
    private static final int WORKSPACES = 10_000;
    private static final int CONNECTIONS = 1_000;
    private static final int FEW = 100;

    private MemoryBench() {}

    static void run() throws Exception {
        workspaces();
        connections();
        System.exit(0);
    }

    private static HealthService service(ScriptedRuntime runtime) {
        HealthService health =
                HealthService.builder().runtime(runtime).maxConcurrent(64).build();
        health.start().block();
        runtime.start("gw", Instant.now());
        return health;
    }

    private static void workspaces() throws InterruptedException {
        ScriptedRuntime runtime = new ScriptedRuntime();
        HealthService health = service(runtime);
        define(health, 0, FEW);
        runtime.requests().clear();
        long empty = used();
        define(health, FEW, WORKSPACES);
        // What the scripted containers keep is nothing of the service.
        runtime.requests().clear();
        Bench.line("per idle workspace: %,d bytes", (used() - empty) / WORKSPACES);
        health.stop().block();
    }

    private static void connections() throws Exception {
        HealthService health = service(new ScriptedRuntime());
        define(health, 0, FEW);
        HealthServer server =
                Objects.requireNonNull(HealthServer.start(SocketBench.config(), health, Authenticator.none())
                        .block());
        String greeting = SocketBench.greeting(server.address());
        try (Clients first = new Clients(FEW, server.address(), greeting)) {
            first.settle();
            long before = used();
            try (Clients all = new Clients(CONNECTIONS, server.address(), greeting)) {
                all.settle();
                Bench.line(
                        "per idle connection: %,d bytes, the client's side of it included, after %,d bytes of snapshot",
                        (used() - before) / CONNECTIONS, all.received() / CONNECTIONS);
            }
        }
    }

    private static void define(HealthService health, int from, int count) throws InterruptedException {
        Flux.range(from, count)
                .concatMap(i -> health.define(
                        Workspace.named("idle" + i).container("gw").healthCheck("curl -sf localhost:" + i + "/health")))
                .blockLast();
        while (Objects.requireNonNull(health.list().block()).stream()
                .anyMatch(one -> one.health().lastResultAt() == null)) {
            Thread.sleep(200);
        }
    }

    private static long used() throws InterruptedException {
        long least = Long.MAX_VALUE;
        for (int i = 0; i < 5; i++) {
            System.gc();
            Thread.sleep(300);
            least = Math.min(
                    least,
                    ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed());
        }
        return least;
    }
}
