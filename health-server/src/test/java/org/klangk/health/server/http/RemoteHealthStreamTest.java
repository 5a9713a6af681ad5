package org.klangk.health.server.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.klangk.health.event.StopCause;
import org.klangk.health.frame.Frame;
import org.klangk.health.frame.FrameKind;
import org.klangk.health.frame.Gone;
import org.klangk.health.frame.Heartbeat;
import org.klangk.health.frame.LoggedFrame;
import org.klangk.health.frame.Position;
import org.klangk.health.frame.ServiceHealth;
import org.klangk.health.frame.SnapshotEnd;
import org.klangk.health.frame.View;
import org.klangk.health.stream.WatchRequest;
import org.klangk.health.transport.client.Credentials;
import org.klangk.health.transport.client.HealthClient;
import org.klangk.health.transport.client.LinkState;
import org.klangk.health.transport.client.LinkState.Status;
import org.klangk.health.transport.client.NotAllowedException;
import org.klangk.health.transport.client.RemoteHealthStream;
import org.klangk.health.transport.wire.FrameJson;
import org.klangk.health.workspace.WorkspaceId;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Flux;
import reactor.core.scheduler.Schedulers;

/** The stream from another process, over real sockets that break. */
@Tag("long")
class RemoteHealthStreamTest extends ServerFixture {
    private final Disposable.Composite subscriptions = Disposables.composite();

    @AfterEach
    void unsubscribe() {
        subscriptions.dispose();
    }

    private static RemoteHealthStream stream(int port, String token) {
        return HealthClient.connect(URI.create("http://127.0.0.1:" + port), Credentials.token(token)).stream();
    }

    /** What a subscriber got so far, as it stands on the wire. */
    private final class Seen {
        private final BlockingQueue<Frame> frames = new LinkedBlockingQueue<>();

        Seen(RemoteHealthStream stream, WatchRequest request) {
            subscriptions.add(stream.watch(request).subscribe(frames::add, error -> {}));
        }

        Frame next() {
            try {
                return Objects.requireNonNull(frames.poll(20, TimeUnit.SECONDS), "no frame came");
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }

        void passSnapshot() {
            Frame frame;
            do {
                frame = next();
            } while (!(frame instanceof SnapshotEnd));
        }

        /** Changes up to and including the one at this place. */
        List<String> changesUpTo(long rev) {
            List<String> changes = new ArrayList<>();
            while (true) {
                Frame frame = next();
                if (frame instanceof LoggedFrame logged && logged.kind() == FrameKind.CHANGE) {
                    changes.add(new String(FrameJson.encode(frame), StandardCharsets.UTF_8));
                    if (frame.position().rev() >= rev) {
                        return changes;
                    }
                }
            }
        }
    }

    /** Dies and starts again, so many times; gives back the place of the last frame. */
    private long manyChanges(int times) {
        TestClient.Socket socket = client.socket("?token=" + TOKEN + "&view=full");
        socket.next("snapshot_end");
        for (int i = 0; i < times; i++) {
            runtime.die(
                    "gw",
                    StopCause.exited(i % 200 + 1),
                    Instant.parse("2026-11-30T10:00:00Z").plusSeconds(2L * i + 1));
            runtime.start("gw", Instant.parse("2026-11-30T10:00:00Z").plusSeconds(2L * i + 2));
            JsonNode verdict;
            do {
                verdict = socket.next("service_health");
            } while (!verdict.path("running").asBoolean());
        }
        create("last", "");
        long rev = socket.next("workspaces_changed").path("rev").asLong();
        socket.cut();
        return rev;
    }

    @Test
    void a_subscriber_elsewhere_gets_what_the_socket_tells() {
        healthy("gateway");
        RemoteHealthStream stream = stream(server.address().getPort(), TOKEN);
        Seen seen = new Seen(stream, WatchRequest.all());
        Frame snapshot = seen.next();
        assertThat(snapshot).isInstanceOf(ServiceHealth.class);
        assertThat(seen.next()).isInstanceOf(SnapshotEnd.class);
        TestClient.Socket socket = client.socket("?token=" + TOKEN + "&view=full");
        socket.next("snapshot_end");
        runtime.die("gw", StopCause.exited(3), Instant.parse("2026-11-30T10:00:01Z"));
        for (int i = 0; i < 2; i++) {
            assertThat(new String(FrameJson.encode(seen.next()), StandardCharsets.UTF_8))
                    .isEqualTo(socket.next().toString());
        }
        assertThat(stream.link().blockFirst(LONG)).isEqualTo(new LinkState(Status.OPEN, null));
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void cut_anywhere_again_and_again_it_misses_nothing_and_repeats_nothing(long seed) {
        healthy("gateway");
        Random random = new Random(seed);
        try (Relay relay = new Relay(() -> server.address().getPort(), () -> 400 + random.nextInt(6000))) {
            Seen whole = new Seen(stream(server.address().getPort(), TOKEN), WatchRequest.all());
            Seen cut = new Seen(stream(relay.port(), TOKEN), WatchRequest.all());
            whole.passSnapshot();
            cut.passSnapshot();
            long last = manyChanges(40);
            assertThat(cut.changesUpTo(last)).isEqualTo(whole.changesUpTo(last));
            assertThat(relay.links()).isGreaterThan(3);
        }
    }

    @Test
    void it_begins_where_it_is_told_and_says_when_that_is_gone() {
        Seen first = new Seen(stream(server.address().getPort(), TOKEN), WatchRequest.all());
        Position begin = first.next().position();
        healthy("gateway");
        Seen resumed = new Seen(stream(server.address().getPort(), TOKEN), WatchRequest.after(begin));
        assertThat(resumed.next().position().rev()).isEqualTo(begin.rev() + 1);
        Seen gone = new Seen(stream(server.address().getPort(), TOKEN), WatchRequest.after(new Position("OTHER", 7)));
        assertThat(gone.next())
                .isInstanceOfSatisfying(
                        Gone.class, frame -> assertThat(frame.reason()).isEqualTo(Gone.Reason.EPOCH_CHANGED));
        assertThat(gone.next()).isInstanceOf(ServiceHealth.class);
    }

    @Test
    void a_view_and_a_choice_of_workspaces_are_kept() {
        String id = healthy("gateway");
        healthy("other");
        WatchRequest request = WatchRequest.all()
                .view(View.KLANGK)
                .only(one -> one.equals(new WorkspaceId(id)))
                .withHeartbeats();
        Seen seen = new Seen(stream(server.address().getPort(), TOKEN), request);
        assertThat(seen.next())
                .isInstanceOfSatisfying(
                        ServiceHealth.class, frame -> assertThat(frame.name()).isEqualTo("gateway"));
        assertThat(seen.next()).isInstanceOf(Heartbeat.class);
        assertThat(seen.next()).isInstanceOf(Heartbeat.class);
    }

    @Test
    void whoever_is_not_let_in_is_told_so_and_does_not_come_again() {
        RemoteHealthStream stream = stream(server.address().getPort(), "wrong");
        assertThatThrownBy(() -> stream.watch(WatchRequest.all()).blockLast(LONG))
                .isInstanceOf(NotAllowedException.class)
                .hasMessageContaining("4001");
        assertThat(stream.link().blockFirst(LONG))
                .isEqualTo(new LinkState(Status.REFUSED, "4001 missing or invalid token"));
    }

    @Test
    void a_server_that_is_away_is_waited_for() {
        try (Relay relay = new Relay(() -> server.address().getPort(), () -> Integer.MAX_VALUE)) {
            RemoteHealthStream stream = stream(relay.port(), TOKEN);
            Seen seen = new Seen(stream, WatchRequest.all());
            assertThat(seen.next()).isInstanceOf(SnapshotEnd.class);
            BlockingQueue<Status> states = new LinkedBlockingQueue<>();
            subscriptions.add(stream.link().map(LinkState::status).subscribe(states::add));
            relay.cut();
            assertThat(stream.link()
                            .map(LinkState::status)
                            .filter(Status.BROKEN::equals)
                            .blockFirst(LONG))
                    .isEqualTo(Status.BROKEN);
            healthy("gateway");
            assertThat(seen.next().position().rev()).isEqualTo(1);
            assertThat(states).contains(Status.OPEN, Status.BROKEN, Status.CONNECTING);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"ftp://host", "http:///path", "host:80"})
    void an_address_that_is_none_is_refused(String server) {
        assertThatThrownBy(() -> HealthClient.connect(URI.create(server), Credentials.none()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("server '" + server + "': http://host:port or https://host is accepted");
    }

    @Test
    void nothing_of_a_cancelled_stream_is_left() {
        try (Relay relay = new Relay(() -> server.address().getPort(), () -> Integer.MAX_VALUE)) {
            Seen seen = new Seen(stream(relay.port(), TOKEN), WatchRequest.all());
            seen.next();
            assertThat(relay.open()).isPositive();
            subscriptions.dispose();
            assertThat(Flux.interval(Duration.ofMillis(10), Schedulers.boundedElastic())
                            .onBackpressureDrop()
                            .map(tick -> relay.open())
                            .filter(open -> open == 0)
                            .blockFirst(LONG))
                    .isZero();
        }
    }
}
