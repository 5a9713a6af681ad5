package org.klangk.health.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.klangk.health.event.StopCause;
import org.klangk.health.frame.ContainerStatus;
import org.klangk.health.frame.FrameType;
import org.klangk.health.frame.LoggedFrame;
import org.klangk.health.frame.Position;
import org.klangk.health.server.cli.Program;
import org.klangk.health.service.HealthService;
import org.klangk.health.stream.WatchRequest;
import org.klangk.health.testing.ScriptedRuntime;
import org.klangk.health.transport.journal.Retention;
import org.klangk.health.transport.journal.SqliteJournal;
import org.klangk.health.workspace.Workspace;
import org.klangk.health.workspace.WorkspaceId;
import reactor.core.publisher.Flux;

/** {@code klangkc monitor} with a cursor and a command, while everything between it and the changes breaks again and again. */
class MonitorFaultIT {
    private static final Duration LONG = ServerFixture.LONG;
    private static final int WORKSPACES = 10;
    private static final int ROUNDS = 100;
    private static final int RESTARTS = 5;
    private static final int LEAST_CUTS = 50;
    private static final int MORE_THAN_MAY_WAIT = 3_500;
    private static final Set<FrameType> SHOWN =
            Set.of(FrameType.SERVICE_HEALTH, FrameType.CONTAINER_STATUS, FrameType.WORKSPACES_CHANGED);

    @TempDir
    private Path directory = Path.of("");

    private final Random random = new Random(6);
    private ScriptedRuntime runtime = new ScriptedRuntime();
    private @Nullable HealthService health;
    private @Nullable HealthServer server;
    private @Nullable Program monitor;

    private void serve() {
        ScriptedRuntime before = runtime;
        runtime = new ScriptedRuntime();
        runtime.takeOver(before);
        health = HealthService.builder()
                .runtime(runtime)
                .journal(SqliteJournal.in(directory.resolve("data"), Retention.standard()))
                .build();
        server = ServerFixture.serve(health);
    }

    private HealthService health() {
        return Objects.requireNonNull(health);
    }

    private int port() {
        return Objects.requireNonNull(server).address().getPort();
    }

    private void stopServing() {
        Objects.requireNonNull(server).stop().block(LONG);
    }

    @AfterEach
    void stop() {
        if (monitor != null) {
            monitor.close();
        }
        stopServing();
    }

    private void define(int workspaces) {
        for (int i = 0; i < workspaces; i++) {
            health().define(Workspace.named("n" + i)
                            .id(new WorkspaceId("w" + i))
                            .container("c" + i)
                            .healthCheck("true")
                            .startupGrace(Duration.ZERO))
                    .block(LONG);
        }
    }

    private Program monitor(int port, String script, String... options) {
        List<String> words = new ArrayList<>(List.of(
                "monitor",
                "--cursor",
                directory.resolve("cursor").toString(),
                "--max-delay",
                "200ms",
                "--on-connect",
                "none"));
        words.addAll(List.of(options));
        words.addAll(List.of("--", "sh", "-c", script));
        Program started = Program.start(
                Map.of("KLANGK_URL", "http://127.0.0.1:" + port, "KLANGK_TOKEN", ServerFixture.TOKEN),
                "klangkc",
                words.toArray(String[]::new));
        monitor = started;
        return started;
    }

    private Path told() {
        return directory.resolve("told");
    }

    /** The events that the command ran for, by workspace, in the order in which it ended. */
    private Map<String, List<String>> ran() throws IOException {
        Map<String, List<String>> ran = new LinkedHashMap<>();
        if (Files.exists(told())) {
            for (String line : Files.readAllLines(told())) {
                String[] words = line.split(" ", 2);
                ran.computeIfAbsent(words[1], id -> new ArrayList<>()).add(words[0]);
            }
        }
        return ran;
    }

    /** What happened after {@code begin}, by workspace. */
    private Map<String, List<String>> happened(Position begin) {
        Position end = health().position();
        Map<String, List<String>> happened = new LinkedHashMap<>();
        health().stream()
                .watch(WatchRequest.after(begin))
                .takeUntil(frame -> frame.position().rev() >= end.rev())
                .ofType(LoggedFrame.class)
                .filter(frame -> SHOWN.contains(frame.type()) && frame.workspaceId() != null)
                .doOnNext(frame -> happened.computeIfAbsent(
                                Objects.requireNonNull(frame.workspaceId()).value(), id -> new ArrayList<>())
                        .add(frame.position().toString()))
                .blockLast(LONG);
        return happened;
    }

    private static int count(Map<String, List<String>> events) {
        return events.values().stream().mapToInt(List::size).sum();
    }

    /** Until the place from which nothing may be missed is kept. */
    private void awaitCursor() {
        Flux.interval(Duration.ofMillis(20))
                .onBackpressureDrop()
                .takeUntil(tick -> Files.exists(directory.resolve("cursor")))
                .blockLast(LONG);
    }

    /** Waits until the command has run so often. */
    private void awaitRuns(int runs) {
        Flux.interval(Duration.ofMillis(50))
                .onBackpressureDrop()
                .map(tick -> {
                    try {
                        return count(ran());
                    } catch (IOException e) {
                        throw new IllegalStateException(e);
                    }
                })
                .takeUntil(now -> now >= runs)
                .blockLast(Duration.ofMinutes(2));
    }

    private void round(int round) {
        Position before = health().position();
        for (int i = 0; i < WORKSPACES; i++) {
            if (round % 2 == 0) {
                runtime.start("c" + i, Instant.now());
            } else {
                runtime.die("c" + i, StopCause.exited(round), Instant.now());
            }
        }
        health().stream()
                .watch(WatchRequest.after(before))
                .ofType(ContainerStatus.class)
                .take(WORKSPACES)
                .blockLast(LONG);
    }

    @Test
    void every_change_is_told_once_and_in_order_although_link_and_server_break() throws IOException {
        serve();
        define(WORKSPACES);
        try (Relay relay = new Relay(this::port, () -> 500 + random.nextInt(6_000))) {
            Position begin = health().position();
            Program started =
                    monitor(relay.port(), "echo \"$KLANGK_EVENT_ID $KLANGK_WORKSPACE_ID\" >> '" + told() + "'");
            awaitCursor();
            for (int round = 0; round < ROUNDS; round++) {
                if (round > 0 && round % (ROUNDS / RESTARTS) == 0) {
                    stopServing();
                    serve();
                }
                round(round);
            }
            Map<String, List<String>> happened = happened(begin);
            awaitRuns(count(happened));
            assertThat(count(happened)).isGreaterThanOrEqualTo(WORKSPACES * ROUNDS);
            assertThat(relay.links()).as("cut").isGreaterThan(LEAST_CUTS);
            started.terminate();
            started.exitCode();
            assertThat(ran()).isEqualTo(happened);
        }
    }

    @Test
    void a_command_that_hangs_loses_nothing_and_what_does_not_fit_waits_at_the_server() throws IOException {
        serve();
        define(WORKSPACES);
        Path go = directory.resolve("go");
        try (Relay relay = new Relay(this::port, () -> Integer.MAX_VALUE)) {
            Position begin = health().position();
            Program started = monitor(
                    relay.port(),
                    "while ! test -e '" + go
                            + "'; do sleep 0.2; done; echo \"$KLANGK_EVENT_ID $KLANGK_WORKSPACE_ID\" >> '" + told()
                            + "'",
                    "--command-timeout",
                    "3m");
            awaitCursor();
            int round = 0;
            // Ends with deaths, after which nothing more comes.
            while (health().position().rev() - begin.rev() < MORE_THAN_MAY_WAIT || round % 2 == 1) {
                round(round++);
            }
            assertThat(ran()).as("it hangs").isEmpty();
            assertThat(relay.links()).as("the socket is the first one").isEqualTo(1);
            Files.createFile(go);
            Map<String, List<String>> happened = happened(begin);
            awaitRuns(count(happened));
            started.terminate();
            started.exitCode();
            assertThat(ran()).isEqualTo(happened);
        }
    }

    @Test
    void a_monitor_that_dies_between_the_command_and_its_note_of_it_runs_that_one_again() throws IOException {
        serve();
        define(1);
        Position begin = health().position();
        Path died = directory.resolve("died");
        String script = "echo \"$KLANGK_EVENT_ID $KLANGK_WORKSPACE_ID\" >> '" + told() + "'; "
                + "test \"$KLANGK_EVENT_TYPE\" != service_health || test -e '" + died + "' || "
                + "{ touch '" + died + "'; kill -KILL $PPID; }";
        Program first = monitor(port(), script);
        awaitCursor();
        runtime.start("c0", Instant.now());
        assertThat(first.exitCode()).isEqualTo(137);
        Program second = monitor(port(), script);
        runtime.die("c0", StopCause.exited(1), Instant.now());
        awaitRuns(5);
        second.terminate();
        second.exitCode();
        List<String> ran = ran().getOrDefault("w0", List.of());
        List<String> happened = happened(begin).getOrDefault("w0", List.of());
        assertThat(happened).as("started, healthy, dead, stopped").hasSize(4);
        List<String> expected = new ArrayList<>(happened);
        expected.add(2, happened.get(1));
        assertThat(ran).as("the verdict twice, under the same name").isEqualTo(expected);
    }
}
