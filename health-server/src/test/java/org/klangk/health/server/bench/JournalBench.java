package org.klangk.health.server.bench;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.klangk.health.event.CheckCompleted;
import org.klangk.health.event.CheckOutcome;
import org.klangk.health.event.CheckResult;
import org.klangk.health.event.ContainerRun;
import org.klangk.health.event.ContainerStarted;
import org.klangk.health.event.HealthEvent;
import org.klangk.health.event.WorkspaceDefined;
import org.klangk.health.frame.Position;
import org.klangk.health.history.HistoryQuery;
import org.klangk.health.journal.Opened;
import org.klangk.health.pipeline.Board;
import org.klangk.health.pipeline.Candidate;
import org.klangk.health.pipeline.HealthPipeline;
import org.klangk.health.pipeline.Step;
import org.klangk.health.server.auth.Authenticator;
import org.klangk.health.server.http.HealthServer;
import org.klangk.health.service.HealthService;
import org.klangk.health.testing.ScriptedRuntime;
import org.klangk.health.transport.journal.Retention;
import org.klangk.health.transport.journal.SqliteJournal;
import org.klangk.health.workspace.HealthDefaults;
import org.klangk.health.workspace.Workspace;
import org.klangk.health.workspace.WorkspaceId;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** The durable journal: what starting, resuming and committing take, and how large it becomes. */
final class JournalBench {
    private static final Duration LONG = Duration.ofMinutes(30);
    private static final int BATCH = 500;
    private static final Instant BEGIN = Instant.parse("2026-01-01T00:00:00Z");

    private JournalBench() {}

    static void run(String[] arguments) throws Exception {
        String what = arguments.length == 0 ? "" : arguments[0];
        Path directory = Path.of(arguments.length < 2 ? "target/bench-journal" : arguments[1]);
        switch (what) {
            case "make" -> make(directory, number(arguments, 2, 5_000), number(arguments, 3, 200));
            case "month" -> month(directory, number(arguments, 2, 10_000), number(arguments, 3, 30));
            case "open" -> open(directory);
            case "resume" -> resume(directory, number(arguments, 2, 10_000));
            case "latency" -> latency(directory, number(arguments, 2, 200), number(arguments, 3, 30));
            default -> throw new IllegalArgumentException("make, month, open, resume or latency is accepted");
        }
        System.exit(0);
    }

    private static int number(String[] arguments, int index, int otherwise) {
        return arguments.length <= index ? otherwise : Integer.parseInt(arguments[index]);
    }

    private static SqliteJournal journal(Path directory) {
        return SqliteJournal.in(directory, Retention.standard());
    }

    private static <T> T get(Mono<T> mono) {
        return Objects.requireNonNull(mono.block(LONG));
    }

    private static WorkspaceId id(int i) {
        return new WorkspaceId("workspace-" + i);
    }

    /** A past, committed batch by batch as a writer would. */
    private static final class Past {
        private final SqliteJournal journal;
        private final Candidate known;
        private final long[] runs;
        private final List<HealthEvent> waiting = new ArrayList<>();
        private final Latencies commits = new Latencies();
        private long events;

        Past(Path directory, int workspaces) {
            journal = journal(directory);
            runs = new long[workspaces];
            known = new Candidate(Board.empty(
                    new Position(get(journal.open(BEGIN)).known().position().epoch(), 0)));
            for (int i = 0; i < workspaces; i++) {
                Workspace workspace = Workspace.named("n" + i)
                        .id(id(i))
                        .container("c" + i)
                        .healthCheck("curl -sf http://localhost:8080/health")
                        .startupGrace(Duration.ZERO)
                        .resolve(HealthDefaults.standard());
                add(new WorkspaceDefined(BEGIN, workspace));
                add(new ContainerStarted(BEGIN, id(i), new ContainerRun("c" + i, BEGIN), BEGIN));
            }
        }

        void add(HealthEvent event) {
            waiting.add(event);
            events++;
            if (waiting.size() == BATCH) {
                commit();
            }
        }

        void result(int i, Instant at, boolean passed) {
            runs[i]++;
            CheckResult result = passed
                    ? new CheckResult(CheckOutcome.PASSED, 0, null)
                    : new CheckResult(CheckOutcome.FAILED, 7, "exited 7: connection refused");
            add(new CheckCompleted(
                    at, id(i), 1, 1, runs[i], at, Duration.ofMillis(12), Duration.ofMillis(1), false, result));
        }

        /** The state is kept in one candidate, whose frames go on; only what one batch changed is committed. */
        private void commit() {
            Candidate batch = new Candidate(known);
            List<Step> steps = new ArrayList<>(BATCH);
            Flux.fromIterable(waiting).transform(HealthPipeline.into(batch)).subscribe(steps::add);
            long from = System.nanoTime();
            journal.append(batch.commit(steps)).block(LONG);
            commits.add(System.nanoTime() - from);
            // The same events once more, to be known: candidates on top of each other would become a long chain.
            Flux.fromIterable(waiting).transform(HealthPipeline.into(known)).subscribe();
            waiting.clear();
        }

        void close() {
            if (!waiting.isEmpty()) {
                commit();
            }
            // Not closed: what a kill would leave, with a tail to fold.
        }
    }

    /** {@code rounds} results of each workspace, one in fifty a turn. */
    private static void make(Path directory, int workspaces, int rounds) throws IOException {
        clear(directory);
        long from = System.nanoTime();
        Past past = new Past(directory, workspaces);
        Random random = new Random(1);
        boolean[] healthy = new boolean[workspaces];
        for (int round = 0; round < rounds; round++) {
            for (int i = 0; i < workspaces; i++) {
                healthy[i] = random.nextInt(50) == 0 ? !healthy[i] : healthy[i];
                past.result(i, BEGIN.plusSeconds(30L * round), healthy[i]);
            }
        }
        past.close();
        report(directory, past, from);
    }

    /** Days of checks every 30 s. A steady hour is one result here: a run is one row, however many there were. */
    private static void month(Path directory, int workspaces, int days) throws IOException {
        clear(directory);
        long from = System.nanoTime();
        Past past = new Past(directory, workspaces);
        Random random = new Random(1);
        for (int hour = 0; hour < 24 * days; hour++) {
            Instant at = BEGIN.plus(Duration.ofHours(hour));
            for (int i = 0; i < workspaces; i++) {
                past.result(i, at, true);
                // Every workspace is unhealthy for a minute twice a day.
                if (random.nextInt(12) == 0) {
                    past.result(i, at.plusSeconds(30), false);
                    past.result(i, at.plusSeconds(60), false);
                    past.result(i, at.plusSeconds(90), true);
                }
            }
            past.journal.alive(at).block(LONG);
        }
        past.close();
        report(directory, past, from);
        Instant end = BEGIN.plus(Duration.ofDays(days));
        past.journal.alive(end).block(LONG);
        timed(
                "history, the latest 100 of a workspace",
                () -> get(past.journal.history(id(7), HistoryQuery.latest(100))).size());
        timed(
                "transitions for an uptime of 30 days",
                () -> get(past.journal.transitions(id(7), BEGIN)).size());
        timed(
                "being alive for an uptime of 30 days",
                () -> get(past.journal.aliveSince(BEGIN)).size());
    }

    private static void timed(String what, Supplier<Object> work) {
        Object answer = "";
        for (int i = 0; i < 5; i++) {
            long from = System.nanoTime();
            answer = work.get();
            Bench.line("  %s: %.1f ms (%s)", what, (System.nanoTime() - from) / 1e6, answer);
        }
    }

    private static void report(Path directory, Past past, long from) throws IOException {
        double seconds = (System.nanoTime() - from) / 1e9;
        Bench.line(
                "%,d events in %.0f s (%,.0f/s); %s is %.1f MB; a commit of %d events takes %.1f ms, one with a checkpoint %.0f ms at most",
                past.events,
                seconds,
                past.events / seconds,
                directory,
                size(directory) / 1e6,
                BATCH,
                past.commits.percentile(0.5),
                past.commits.percentile(1));
    }

    private static long size(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            long sum = 0;
            for (Path file : files.toList()) {
                sum += Files.size(file);
            }
            return sum;
        }
    }

    private static void clear(Path directory) throws IOException {
        if (Files.exists(directory)) {
            try (Stream<Path> files = Files.walk(directory)) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(file);
                }
            }
        }
    }

    /** The first time in a process that has done nothing yet, then some more. */
    private static void open(Path directory) {
        for (int round = 0; round < 4; round++) {
            long from = System.nanoTime();
            SqliteJournal journal = journal(directory);
            Opened opened = get(journal.open(Instant.now()));
            Bench.line(
                    "opened in %.0f ms: %d workspaces at %s, %.1f MB",
                    (System.nanoTime() - from) / 1e6,
                    opened.known().workspaces().size(),
                    opened.known().position(),
                    sizeQuietly(directory) / 1e6);
            journal.close().block(LONG);
        }
    }

    private static long sizeQuietly(Path directory) {
        try {
            return size(directory);
        } catch (IOException e) {
            return 0;
        }
    }

    private static HealthServer serve(HealthService health) {
        return get(HealthServer.start(SocketBench.config(), health, Authenticator.none()));
    }

    /** A client that was away for so many frames gets all of them, from the journal. */
    private static void resume(Path directory, int frames) throws Exception {
        HealthService health = HealthService.builder()
                .runtime(new ScriptedRuntime())
                .journal(journal(directory))
                .build();
        health.start().block(LONG);
        Position now = health.position();
        HealthServer server = serve(health);
        String after = "?after=" + new Position(now.epoch(), now.rev() - frames);
        for (int round = 0; round < 20; round++) {
            CountDownLatch all = new CountDownLatch(frames);
            long from = System.nanoTime();
            WebSocket socket = socket(server, after, frame -> all.countDown());
            if (!all.await(60, TimeUnit.SECONDS)) {
                throw new IllegalStateException("frames are missing");
            }
            Bench.line("resume of %,d frames: %.0f ms", frames, (System.nanoTime() - from) / 1e6);
            socket.abort();
        }
    }

    private static WebSocket socket(HealthServer server, String query, Consumer<String> frames) {
        return HttpClient.newHttpClient()
                .newWebSocketBuilder()
                .buildAsync(
                        URI.create("ws://127.0.0.1:" + server.address().getPort() + "/ws" + query),
                        new WebSocket.Listener() {
                            private final StringBuilder text = new StringBuilder();

                            @Override
                            public @Nullable CompletionStage<?> onText(
                                    WebSocket from, CharSequence part, boolean last) {
                                text.append(part);
                                if (last) {
                                    frames.accept(text.toString());
                                    text.setLength(0);
                                }
                                from.request(1);
                                return null;
                            }
                        })
                .join();
    }

    /** From the command to the frame at a client, at so many commands a second, each forced to disk before it is told. */
    private static void latency(Path directory, int rate, int seconds) throws Exception {
        clear(directory);
        ScriptedRuntime runtime = new ScriptedRuntime();
        HealthService health = HealthService.builder()
                .runtime(runtime)
                .journal(journal(directory))
                .build();
        health.start().block(LONG);
        HealthServer server = serve(health);
        int workspaces = 100;
        runtime.start("gw", Instant.now());
        for (int i = 0; i < workspaces; i++) {
            health.define(Workspace.named("n" + i).id(id(i)).container("gw").healthCheck("true"))
                    .block(LONG);
        }
        long[] asked = new long[workspaces];
        Latencies latencies = new Latencies();
        boolean[] measures = new boolean[1];
        WebSocket socket = socket(server, "?view=full", frame -> {
            if (measures[0] && frame.contains("\"type\":\"workspace_state\"")) {
                int begin = frame.indexOf("\"workspace-") + 11;
                int i = Integer.parseInt(frame, begin, frame.indexOf('"', begin), 10);
                latencies.add(System.nanoTime() - asked[i]);
            }
        });
        int warm = 5 * rate;
        Flux.interval(Duration.ofNanos(1_000_000_000L / rate))
                .onBackpressureBuffer()
                .take((long) rate * seconds + warm)
                .flatMap(
                        tick -> {
                            measures[0] = tick > warm;
                            int i = (int) (tick % workspaces);
                            boolean enabled = tick / workspaces % 2 == 1;
                            asked[i] = System.nanoTime();
                            return health.change(id(i), draft -> draft.enabled(enabled));
                        },
                        64)
                .blockLast(LONG);
        Mono.delay(Duration.ofSeconds(1)).block();
        socket.abort();
        Bench.line(
                "%d commands/s for %d s, %d frames: p50 %.1f ms, p99 %.1f ms, at most %.1f ms",
                rate,
                seconds,
                latencies.count(),
                latencies.percentile(0.5),
                latencies.percentile(0.99),
                latencies.percentile(1));
    }
}
