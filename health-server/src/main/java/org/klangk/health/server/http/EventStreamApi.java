package org.klangk.health.server.http;

import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.HttpMethod;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.klangk.health.frame.View;
import org.klangk.health.server.auth.Caller;
import org.klangk.health.server.http.Router.Access;
import org.klangk.health.service.HealthService;
import org.klangk.health.stream.WatchRequest;
import org.klangk.health.transport.wire.EncodeOnce;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** {@code /api/v1/stream}: the frames as server-sent events, for browsers and {@code curl -N}. */
final class EventStreamApi {
    private static final Duration KEEP_ALIVE = Duration.ofSeconds(15);
    private static final byte[] COMMENT = ":\n\n".getBytes(StandardCharsets.US_ASCII);
    private static final Logger log = LoggerFactory.getLogger(EventStreamApi.class);

    private final HealthService health;
    private final Router router;
    private final OpenStreams streams;
    private final AtomicInteger open = new AtomicInteger();
    private final EncodeOnce events = new EncodeOnce(ServerSentEvent::of);

    EventStreamApi(HealthService health, Router router, OpenStreams streams) {
        this.health = health;
        this.router = router;
        this.streams = streams;
    }

    void routes() {
        router.route(HttpMethod.GET, "/api/v1/stream", Access.STREAM, this::open);
    }

    private Mono<Void> open(Exchange exchange) {
        Caller caller = Router.admitted(router.proof(exchange));
        // What an interrupted client saw last counts more than what it began with.
        String last = exchange.request().requestHeaders().get("Last-Event-ID");
        String field = last == null ? "after" : "Last-Event-ID";
        View view;
        WatchRequest request;
        try {
            view = WatchQuery.view(exchange.parameter("view"));
        } catch (IllegalArgumentException e) {
            throw Problem.invalid("view", String.valueOf(e.getMessage()));
        }
        try {
            request = WatchQuery.request(view, last == null ? exchange.parameter("after") : last);
        } catch (IllegalArgumentException e) {
            throw Problem.invalid(field, field + ": " + e.getMessage());
        }
        WatchRequest allowed = request.by(caller.viewer(), caller.rightsSince());
        if (!streams.enter(caller)) {
            throw Problem.of(
                    429,
                    "too-many-streams",
                    "Too many streams",
                    "at most " + streams.most() + " of one user are accepted");
        }
        return exchange.response()
                .header("Cache-Control", "no-store")
                .header("X-Content-Type-Options", "nosniff")
                .sse()
                .send(
                        stream(view, allowed)
                                .takeUntilOther(router.dismissed(caller))
                                .map(Unpooled::wrappedBuffer),
                        sent -> true)
                .then()
                .doFinally(end -> streams.leave(caller));
    }

    /** A comment at once, so that a client sees that it is connected, and one now and then. */
    private Flux<byte[]> stream(View view, WatchRequest request) {
        Flux<byte[]> told = health.stream()
                .watch(request)
                .filter(frame -> frame.type().in(view))
                .map(events::bytes)
                .doOnError(error -> log.error("a stream failed", error))
                .onErrorComplete();
        Flux<byte[]> comments = Flux.interval(KEEP_ALIVE).onBackpressureDrop().map(tick -> COMMENT);
        return told.startWith(COMMENT)
                .materialize()
                .mergeWith(comments.materialize())
                .<byte[]>dematerialize()
                .doOnSubscribe(begun -> open.incrementAndGet())
                .doFinally(end -> open.decrementAndGet());
    }

    /** How many streams there are. */
    int open() {
        return open.get();
    }
}
