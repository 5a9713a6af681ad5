package org.klangk.health.server.bench;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
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

/**
 * What a check costs in real containers, by each way there is: the Podman command line, one exec over REST, a session. CPU is
 * that of all processes of the machine, what it uses idle subtracted.
 */
final class ProbeBench implements AutoCloseable {
    static final Duration LONG = Duration.ofMinutes(2);
    /** The tests' Podman waits for 60 s. */
    static final Duration CLEANUP = Duration.ofSeconds(75);
    /** What the service lets run at once: four to a core. */
    private static final int IN_FLIGHT = 4 * Runtime.getRuntime().availableProcessors();

    private final TestPodman podman = TestPodman.get();
    private final PodmanRuntime runtime = PodmanRuntime.connect(podman.socket());
    private final Probe exec = runtime.probe(ProbeKind.EXEC);
    private final Probe session = runtime.probe(ProbeKind.SESSION);
    private final List<String> names = new ArrayList<>();
    private final List<String> ids = new ArrayList<>();

    /** Some way to run the {@code i}-th check in the {@code i}-th container, round and round; tells whether it was right. */
    private interface Way {
        Mono<Boolean> run(int i);
    }

    private record Cost(double cpu, double p50, double p95, double rate) {}

    static void run(String[] arguments) {
        switch (arguments.length == 0 ? "compare" : arguments[0]) {
            case "compare" -> {
                for (int containers : new int[] {1, 20, 100}) {
                    try (ProbeBench bench = new ProbeBench(containers)) {
                        bench.compare();
                    }
                }
            }
            case "soak" -> {
                try (ProbeBench bench = new ProbeBench(number(arguments, 3, 100))) {
                    bench.soak(number(arguments, 1, 400), number(arguments, 2, 60));
                }
            }
            case "hostile" -> HostileBench.run(number(arguments, 1, 10_000));
            case "workspaces" -> ServiceBench.workspaces(number(arguments, 1, 1000), number(arguments, 2, 120));
            case "killed" ->
                ServiceBench.killed(
                        Duration.ofSeconds(number(arguments, 1, 20)), Duration.ofSeconds(number(arguments, 2, 300)));
            default -> throw new IllegalArgumentException(arguments[0] + ": see help");
        }
        // Threads of the clients would go on.
        System.exit(0);
    }

    private static int number(String[] arguments, int index, int otherwise) {
        return arguments.length > index ? Integer.parseInt(arguments[index]) : otherwise;
    }

    private ProbeBench(int containers) {
        for (int i = 0; i < containers; i++) {
            names.add("bench" + i);
            ids.add(podman.container("bench" + i));
        }
    }

    @Override
    public void close() {
        runtime.close().block(LONG);
        names.forEach(podman::remove);
    }

    private static int code(int i) {
        return i % 5 == 0 ? 3 : 0;
    }

    private Mono<Boolean> check(Probe probe, int i) {
        String id = ids.get(i % ids.size());
        return probe.run(new ProbeRequest(
                        new WorkspaceId("w" + i % ids.size()),
                        id,
                        1,
                        new HealthCheck("exit " + code(i)),
                        null,
                        null,
                        null,
                        Duration.ofSeconds(10),
                        LONG))
                .map(result -> right(result, i));
    }

    private static boolean right(ProbeResult result, int i) {
        CheckOutcome expected = code(i) == 0 ? CheckOutcome.PASSED : CheckOutcome.FAILED;
        return result instanceof ProbeResult.Completed completed
                && completed.outcome() == expected
                && Integer.valueOf(code(i)).equals(completed.exitCode());
    }

    private Mono<Boolean> cli(int i) {
        return Mono.fromCallable(
                () -> podman.exitCode("exec", names.get(i % names.size()), "bash", "-c", "exit " + code(i)) == code(i));
    }

    private void compare() {
        int containers = ids.size();
        settle();
        double idle = idle();
        // A session is opened once; what that costs is not what a check costs.
        Flux.range(0, 2 * containers).concatMap(i -> check(session, i)).blockLast(LONG);
        measure(2000, i -> check(session, i), idle);
        Cost one = measure(4000, i -> check(session, i), idle);
        Cost cli = measure(40, this::cli, idle);
        int execs = 60;
        Cost rest = measure(execs, i -> check(exec, i), idle);
        double later = later(idle) / execs;
        Bench.line(
                "%d containers: CPU per check, session to podman exec 1 : %.0f, session to exec by REST 1 : %.0f",
                containers, cli.cpu() / one.cpu(), (rest.cpu() + later) / one.cpu());
        print("podman exec", cli);
        print("exec by REST", rest);
        Bench.line("                and CPU %6.2f ms when Podman cleans up after it", later);
        print("session", one);
    }

    private static void print(String what, Cost cost) {
        Bench.line(
                "  %-13s CPU %6.2f ms, p50 %6.2f ms, p95 %6.2f ms, %5.0f checks/s one after the other",
                what, cost.cpu(), cost.p50(), cost.p95(), cost.rate());
    }

    /** One after the other. */
    private static Cost measure(int count, Way way, double idle) {
        Latencies latencies = new Latencies();
        Cpu before = Cpu.now();
        Long wrong = Flux.range(0, count)
                .concatMap(i -> Mono.defer(() -> {
                    long began = System.nanoTime();
                    return way.run(i).doOnNext(right -> latencies.add(System.nanoTime() - began));
                }))
                .filter(right -> !right)
                .count()
                .block(LONG);
        Cpu used = Cpu.now().since(before);
        if (wrong == null || wrong > 0) {
            throw new IllegalStateException(wrong + " wrong results");
        }
        return new Cost(
                (used.machine() - idle * used.millis()) / count,
                latencies.percentile(0.5),
                latencies.percentile(0.95),
                count / used.millis() * 1000);
    }

    /** Podman ends an exec that was asked for over REST {@code exit_command_delay} later, by a process of its own. */
    private static double later(double idle) {
        Cpu before = Cpu.now();
        Mono.delay(CLEANUP).block();
        Cpu used = Cpu.now().since(before);
        return used.machine() - idle * used.millis();
    }

    /** What starting containers leaves to do is not what checks cost. */
    private static void settle() {
        while (idle() > 0.1) {
            Bench.line("waiting for the machine to be quiet");
        }
    }

    /** Busy milliseconds per millisecond while nothing is asked for. */
    private static double idle() {
        Cpu before = Cpu.now();
        Mono.delay(Duration.ofSeconds(5)).block();
        Cpu used = Cpu.now().since(before);
        return used.machine() / used.millis();
    }

    /** Checks at a rate, whether those before have ended or not. */
    private void soak(int rate, int seconds) {
        Flux.range(0, 2 * ids.size()).concatMap(i -> check(session, i)).blockLast(LONG);
        settle();
        open(rate / 2, 10);
        Latencies latencies = new Latencies();
        AtomicInteger wrong = new AtomicInteger();
        Cpu before = Cpu.now();
        open(rate, seconds, latencies, wrong);
        Cpu used = Cpu.now().since(before);
        Bench.line(
                "%d containers, %d checks in %.1f s, %.0f checks/s, %d wrong results",
                ids.size(),
                latencies.count(),
                used.millis() / 1000,
                latencies.count() / used.millis() * 1000,
                wrong.get());
        Bench.line(
                "  p50 %.2f ms, p95 %.2f ms, p99 %.2f ms; %.0f %% of one core, of which this JVM %.0f %%",
                latencies.percentile(0.5),
                latencies.percentile(0.95),
                latencies.percentile(0.99),
                100 * used.machine() / used.millis(),
                100 * used.process() / used.millis());
    }

    private void open(int rate, int seconds) {
        open(rate, seconds, new Latencies(), new AtomicInteger());
    }

    private void open(int rate, int seconds, Latencies latencies, AtomicInteger wrong) {
        long start = System.nanoTime();
        Flux.range(0, rate * seconds)
                .concatMap(i -> {
                    long due = start + i * 1_000_000_000L / rate;
                    long wait = due - System.nanoTime();
                    return wait > 0 ? Mono.delay(Duration.ofNanos(wait)).thenReturn(i) : Mono.just(i);
                })
                .flatMap(
                        i -> check(session, i).doOnNext(right -> {
                            // From when it was due, so that waiting counts.
                            latencies.add(System.nanoTime() - start - i * 1_000_000_000L / rate);
                            if (!right) {
                                wrong.incrementAndGet();
                            }
                        }),
                        IN_FLIGHT)
                .blockLast(Duration.ofSeconds(seconds).plus(LONG));
    }
}
