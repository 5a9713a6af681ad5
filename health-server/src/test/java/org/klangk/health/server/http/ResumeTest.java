package org.klangk.health.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.klangk.health.event.StopCause;
import org.klangk.health.frame.ContainerStatus;
import org.klangk.health.frame.Frame;
import org.klangk.health.frame.LoggedFrame;
import org.klangk.health.frame.Position;
import org.klangk.health.server.http.TestClient.Event;
import org.klangk.health.server.http.TestClient.Events;
import org.klangk.health.server.http.TestClient.Socket;
import org.klangk.health.service.HealthService;
import org.klangk.health.stream.WatchRequest;
import org.klangk.health.testing.ScriptedRuntime;
import org.klangk.health.transport.journal.Retention;
import org.klangk.health.transport.journal.SqliteJournal;
import org.klangk.health.transport.wire.FrameJson;
import org.klangk.health.workspace.Workspace;
import org.klangk.health.workspace.WorkspaceId;
import reactor.core.publisher.Flux;

/** Clients that are cut again and again while 10,000 transitions happen, over each of the three streams. */
@Tag("long")
class ResumeTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration LONG = Duration.ofSeconds(30);
    private static final int WORKSPACES = 40;
    private static final int TRANSITIONS = 10_000;
    private static final int WINDOW = 200;
    private static final int RANDOM_CUTS = 1_000;

    /** A way to get frames. */
    enum Transport {
        WEBSOCKET,
        SSE,
        FLUX
    }

    @TempDir
    private Path directory;

    private final ScriptedRuntime runtime = new ScriptedRuntime();
    private HealthService health;
    private HealthServer server;
    private TestClient client;

    @BeforeEach
    void serve() {
        health = HealthService.builder()
                .runtime(runtime)
                .journal(SqliteJournal.in(directory.resolve("data"), Retention.standard()))
                .build();
        server = ServerFixture.serve(health);
        client = new TestClient(server.address().getPort(), ServerFixture.TOKEN);
        for (int i = 0; i < WORKSPACES; i++) {
            health.define(Workspace.named("n" + i)
                            .id(new WorkspaceId("w" + i))
                            .container("c" + i)
                            .healthCheck("true")
                            .startupGrace(Duration.ZERO))
                    .block(LONG);
        }
    }

    @AfterEach
    void stop() {
        server.stop().block(LONG);
        client.validate();
    }

    /** All containers start and die, over and over; each time is told by two frames or more, with verdicts in between. */
    private void happen(int transitions) {
        for (int round = 0; round < transitions / WORKSPACES; round++) {
            Position before = health.position();
            for (int i = 0; i < WORKSPACES; i++) {
                if (round % 2 == 0) {
                    runtime.start("c" + i, Instant.now());
                } else {
                    runtime.die("c" + i, StopCause.exited(round % 100), Instant.now());
                }
            }
            health.stream()
                    .watch(WatchRequest.after(before))
                    .ofType(ContainerStatus.class)
                    .take(WORKSPACES)
                    .blockLast(LONG);
        }
        // A verdict of the last round would come with the check that each start causes at once.
        awaitQuiet();
    }

    private void awaitQuiet() {
        Flux.interval(Duration.ofMillis(50))
                .onBackpressureDrop()
                .map(tick -> health.position().rev())
                .buffer(8, 1)
                .takeUntil(seen -> seen.get(0).equals(seen.get(seen.size() - 1)))
                .blockLast(LONG);
    }

    private static JsonNode json(Frame frame) {
        try {
            return JSON.readTree(FrameJson.encode(frame));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** So many frames of a new connection that goes on after {@code position}; then it is cut. */
    private List<JsonNode> read(Transport transport, String position, int frames) {
        List<JsonNode> read = new ArrayList<>();
        switch (transport) {
            case WEBSOCKET -> {
                Socket socket = client.socket(
                        "?token=" + ServerFixture.TOKEN + (position.isEmpty() ? "&view=full" : "&after=" + position));
                while (read.size() < frames) {
                    read.add(socket.next());
                }
                socket.cut();
            }
            case SSE -> {
                Events events = position.isEmpty()
                        ? client.events("?view=full")
                        : client.events("?view=full", "Last-Event-ID", position);
                while (read.size() < frames) {
                    Event event = events.next();
                    if (!event.data().isEmpty()) {
                        read.add(event.frame());
                    }
                }
                events.cut();
            }
            case FLUX ->
                read.addAll(Objects.requireNonNull(health.stream()
                        .watch(position.isEmpty() ? WatchRequest.all() : WatchRequest.after(Position.parse(position)))
                        .take(frames)
                        .map(ResumeTest::json)
                        .collectList()
                        .block(LONG)));
        }
        return read;
    }

    private Map<String, String> served() {
        Map<String, String> states = new TreeMap<>();
        client.get("/api/v1/workspaces")
                .body()
                .forEach(one ->
                        states.put(one.path("id").asText(), one.path("state").asText()));
        return states;
    }

    @Test
    void a_client_that_is_cut_at_every_frame_and_anywhere_misses_nothing_and_hears_nothing_twice() {
        Map<Transport, Recording> recordings = new EnumMap<>(Transport.class);
        for (Transport transport : Transport.values()) {
            Recording recording = new Recording();
            read(transport, "", WORKSPACES + 1).forEach(recording::add);
            recordings.put(transport, recording);
        }
        long begin = health.position().rev();
        happen(TRANSITIONS);
        long last = health.position().rev();
        recordings.forEach((transport, recording) -> {
            cutAndResume(transport, recording, begin, last);
            recording.validate();
            assertThat(recording.changes()).as("%s", transport).hasSize((int) (last - begin));
            assertThat(recording.changes().size()).isGreaterThan(TRANSITIONS);
            assertThat(recording.states()).as("one truth: %s", transport).isEqualTo(served());
        });
    }

    /** At every frame of a window, then at random ones, to the end. */
    private void cutAndResume(Transport transport, Recording recording, long begin, long last) {
        for (int i = 0; i < WINDOW; i++) {
            read(transport, recording.position(), 1).forEach(recording::add);
        }
        LongStream.concat(
                        new Random(27)
                                .longs(RANDOM_CUTS, begin + WINDOW + 1, last)
                                .distinct()
                                .sorted(),
                        LongStream.of(last))
                .forEach(cut -> {
                    int frames =
                            (int) (cut - Position.parse(recording.position()).rev());
                    read(transport, recording.position(), frames).forEach(recording::add);
                });
    }

    @Test
    void all_three_tell_the_same_in_the_same_words() {
        Recording recording = new Recording();
        read(Transport.FLUX, "", WORKSPACES + 1).forEach(recording::add);
        happen(400);
        int frames = (int)
                (health.position().rev() - Position.parse(recording.position()).rev());
        List<JsonNode> told = read(Transport.FLUX, recording.position(), frames);
        assertThat(read(Transport.WEBSOCKET, recording.position(), frames)).isEqualTo(told);
        assertThat(read(Transport.SSE, recording.position(), frames)).isEqualTo(told);
        List<LoggedFrame> live = Objects.requireNonNull(health.stream()
                .watch(WatchRequest.after(Position.parse(recording.position())))
                .take(frames)
                .cast(LoggedFrame.class)
                .collectList()
                .block(LONG));
        assertThat(live.stream().map(ResumeTest::json).toList()).isEqualTo(told);
    }
}
