package org.klangk.health.server.http;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.klangk.health.server.auth.Caller;
import org.klangk.health.server.auth.Proof;
import org.klangk.health.server.http.Router.Access;
import org.klangk.health.service.HealthService;
import org.klangk.health.stream.WatchRequest;
import org.klangk.health.transport.wire.EncodeOnce;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.netty.http.server.WebsocketServerSpec;

/** {@code /ws}: always upgrades, so that a browser's client can see why it is closed. */
final class WebSocketApi {
    private static final WebsocketServerSpec SPEC = WebsocketServerSpec.builder()
            .maxFramePayloadLength(WebSocketSession.MAX_MESSAGE)
            .build();

    private final HealthService health;
    private final Router router;
    private final OpenStreams open;
    private final EncodeOnce messages = new EncodeOnce(TextMessage::of);
    private final Set<WebSocketSession> sessions = ConcurrentHashMap.newKeySet();

    WebSocketApi(HealthService health, Router router, OpenStreams open) {
        this.health = health;
        this.router = router;
        this.open = open;
    }

    void routes() {
        router.route(HttpMethod.GET, "/ws", Access.STREAM, this::open);
    }

    private Mono<Void> open(Exchange exchange) {
        if (!exchange.request().requestHeaders().contains(HttpHeaderNames.UPGRADE, "websocket", true)) {
            exchange.response().header("Upgrade", "websocket");
            throw Problem.of(426, "upgrade-required", "Upgrade required", "a WebSocket is accepted");
        }
        Proof proof = router.proof(exchange);
        if (!(proof instanceof Proof.Admitted admitted)) {
            return refuse(exchange, CloseReason.of((Proof.Denied) proof));
        }
        Caller caller = admitted.caller();
        WatchRequest request;
        try {
            request = request(exchange).by(caller.viewer(), caller.rightsSince());
        } catch (IllegalArgumentException e) {
            return refuse(exchange, CloseReason.refused(String.valueOf(e.getMessage())));
        }
        if (!open.enter(caller)) {
            return refuse(
                    exchange, CloseReason.refused("at most " + open.most() + " streams of one user are accepted"));
        }
        WebSocketSession session =
                new WebSocketSession(health.stream().watchTogether(request), messages, System::nanoTime);
        Disposable dismissal = router.dismissed(caller).subscribe(denied -> session.close(CloseReason.of(denied)));
        return run(exchange, session, () -> {
            dismissal.dispose();
            open.leave(caller);
        });
    }

    private Mono<Void> refuse(Exchange exchange, CloseReason reason) {
        WebSocketSession session = new WebSocketSession(Flux.never(), messages, System::nanoTime);
        session.close(reason);
        return run(exchange, session, () -> {});
    }

    /** The answer is complete when the handshake is; the session lives on, and is counted, inside the handler. */
    private Mono<Void> run(Exchange exchange, WebSocketSession session, Runnable end) {
        AtomicBoolean begun = new AtomicBoolean();
        return exchange.response()
                .sendWebsocket(
                        (in, out) -> {
                            begun.set(true);
                            sessions.add(session);
                            return session.run(in).doFinally(signal -> {
                                sessions.remove(session);
                                end.run();
                            });
                        },
                        SPEC)
                .doFinally(signal -> {
                    if (!begun.get()) {
                        end.run();
                    }
                });
    }

    private static WatchRequest request(Exchange exchange) {
        return WatchQuery.request(WatchQuery.view(exchange.parameter("view")), exchange.parameter("after"))
                .withHeartbeats();
    }

    /** Tells every client that the server goes away; completes when all are gone. */
    void closeAll() {
        sessions.forEach(session -> session.close(CloseReason.RESTARTING));
    }

    int open() {
        return sessions.size();
    }
}
