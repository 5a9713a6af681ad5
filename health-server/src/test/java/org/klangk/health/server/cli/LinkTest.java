package org.klangk.health.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.klangk.health.server.monitor.Backoff;
import picocli.CommandLine;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.netty.DisposableServer;
import reactor.netty.http.server.HttpServer;

/** The link of a command to a server that speaks before anybody has asked. */
class LinkTest {
    private static final Duration SHORT = Duration.ofMillis(1);

    private final BlockingQueue<Boolean> closed = new LinkedBlockingQueue<>();
    private final DisposableServer server = HttpServer.create()
            .host("127.0.0.1")
            .port(0)
            .route(routes -> routes.ws(
                    "/ws",
                    (in, out) -> out.sendString(
                                    Flux.concat(Mono.just("{\"type\":\"snapshot_end\"}"), Flux.<String>never()))
                            .then()
                            .and(in.receive().then())
                            .doFinally(end -> closed.add(true))))
            .bindNow();

    private final Connection connection = CommandLine.populateCommand(
            new Connection(), "--server", "http://127.0.0.1:" + server.port(), "--token", "t");

    @AfterEach
    void stop() {
        server.disposeNow();
    }

    private Link link() {
        return new Link(connection, new Link.Patience(null, true, SHORT), new Backoff(SHORT, bound -> 0), notice -> {});
    }

    private static int exit(Link link, Consumer<String> frames) {
        return CompletableFuture.supplyAsync(() -> link.run(() -> "", null, frames))
                .orTimeout(20, TimeUnit.SECONDS)
                .join();
    }

    @Test
    void what_is_ended_by_its_very_first_frame_is_ended() {
        for (int i = 0; i < 200; i++) {
            Link link = link();
            assertThat(exit(link, frame -> link.end())).isEqualTo(ExitCode.OK);
        }
    }

    @Test
    void one_that_was_ended_before_it_began_does_not_begin() {
        Link link = link();
        link.end();
        List<String> frames = new ArrayList<>();
        assertThat(exit(link, frames::add)).isEqualTo(ExitCode.OK);
        assertThat(frames).isEmpty();
    }

    @Test
    void a_socket_that_was_ended_while_it_was_being_made_is_closed() throws InterruptedException {
        FrameSocket socket = new FrameSocket(frame -> {});
        socket.abort("enough");
        socket.connect(connection, "t", "", null);
        assertThat(socket.await().reason()).isEqualTo("enough");
        assertThat(closed.poll(20, TimeUnit.SECONDS)).as("the server sees it").isTrue();
    }
}
