package org.klangk.health.server.http;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.TooLongFrameException;
import io.netty.handler.codec.http.websocketx.CloseWebSocketFrame;
import io.netty.handler.codec.http.websocketx.CorruptedWebSocketFrameException;
import io.netty.handler.codec.http.websocketx.PingWebSocketFrame;
import io.netty.handler.codec.http.websocketx.TextWebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocketFrame;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import org.klangk.health.frame.Frame;
import org.klangk.health.frame.Heartbeat;
import org.klangk.health.transport.wire.FrameJson;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.netty.http.websocket.WebsocketInbound;
import reactor.netty.http.websocket.WebsocketOutbound;
import reactor.util.concurrent.Queues;

/**
 * One WebSocket: frames out, a few commands in. Whatever ends it is one cause, and the first one decides the close code. Signals
 * of one session arrive one at a time, on its event loop or on the stream's delivery thread.
 */
final class WebSocketSession {
    static final int MAX_MESSAGE = 16 * 1024;
    private static final Duration PING = Duration.ofSeconds(20);
    private static final int UNANSWERED = 2;
    private static final Duration CLOSING = Duration.ofSeconds(5);
    private static final int COMMANDS = 60;
    private static final long WINDOW_NANOS = Duration.ofSeconds(10).toNanos();
    private static final int WAITING_REPLIES = 64;

    private static final Logger log = LoggerFactory.getLogger(WebSocketSession.class);

    private final Flux<Frame> frames;
    private final FrameJson codec;
    private final LongSupplier nanos;
    private final Sinks.One<CloseReason> end = Sinks.one();
    private final Sinks.Many<String> replies = Sinks.many()
            .unicast()
            .onBackpressureBuffer(Queues.<String>get(WAITING_REPLIES).get());
    private volatile boolean heartbeats;
    private final AtomicInteger unanswered = new AtomicInteger();
    private long windowStart;
    private int commands;

    WebSocketSession(Flux<Frame> frames, FrameJson codec, LongSupplier nanos) {
        this.frames = frames;
        this.codec = codec;
        this.nanos = nanos;
        this.windowStart = nanos.getAsLong();
    }

    /** Ends it; only the first reason counts. */
    void close(CloseReason reason) {
        end.tryEmitValue(reason);
    }

    Mono<Void> run(WebsocketInbound in, WebsocketOutbound out) {
        Mono<Void> receiving = in.aggregateFrames(MAX_MESSAGE)
                .receiveFrames()
                .doOnNext(this::received)
                .doOnError(this::broke)
                .onErrorComplete()
                .doFinally(signal -> close(CloseReason.NORMAL))
                .then();
        // The close frame is the last one sent, and then it is the client's turn: a connection that is closed at once
        // behind
        // it makes some clients lose the code.
        Flux<WebSocketFrame> outgoing = Flux.merge(told(), answers(), pings())
                .takeUntilOther(end.asMono())
                .concatWith(end.asMono().map(reason -> new CloseWebSocketFrame(reason.code(), reason.text())));
        Mono<Void> sending = out.sendObject(outgoing)
                .then()
                .doOnError(error -> {
                    log.debug("a WebSocket cannot be written to: {}", error.toString());
                    close(CloseReason.FAILED);
                })
                .onErrorComplete();
        // A client that does not read, or does not close, is cut.
        Mono<Void> cut = end.asMono()
                .delayElement(CLOSING)
                .doOnNext(reason -> in.withConnection(connection -> connection.dispose()))
                .then();
        return Mono.firstWithSignal(Mono.when(receiving, sending), cut);
    }

    private Flux<WebSocketFrame> told() {
        return frames.filter(frame -> heartbeats || !(frame instanceof Heartbeat))
                .map(frame -> (WebSocketFrame) new TextWebSocketFrame(Unpooled.wrappedBuffer(codec.bytes(frame))))
                .doOnError(error -> {
                    log.error("a stream failed", error);
                    close(CloseReason.FAILED);
                })
                .onErrorComplete()
                .doOnComplete(() -> close(CloseReason.RESTARTING));
    }

    private Flux<WebSocketFrame> answers() {
        return replies.asFlux().map(text -> new TextWebSocketFrame(text));
    }

    private Flux<WebSocketFrame> pings() {
        return Flux.interval(PING).onBackpressureDrop().handle((tick, sink) -> {
            if (unanswered.getAndIncrement() >= UNANSWERED) {
                close(CloseReason.SILENT);
            } else {
                sink.next(new PingWebSocketFrame());
            }
        });
    }

    private void broke(Throwable error) {
        log.debug("a WebSocket broke: {}", error.toString());
        if (error instanceof CorruptedWebSocketFrameException corrupted) {
            close(new CloseReason(
                    corrupted.closeStatus().code(), corrupted.closeStatus().reasonText()));
        } else if (error instanceof TooLongFrameException) {
            close(CloseReason.TOO_LONG);
        }
    }

    private void received(WebSocketFrame frame) {
        unanswered.set(0);
        if (!(frame instanceof TextWebSocketFrame text)) {
            return;
        }
        long now = nanos.getAsLong();
        if (now - windowStart > WINDOW_NANOS) {
            windowStart = now;
            commands = 0;
        }
        commands++;
        if (commands > COMMANDS) {
            close(CloseReason.ABUSE);
        } else {
            command(text.content().toString(StandardCharsets.UTF_8));
        }
    }

    private void command(String text) {
        JsonNode command;
        try {
            command = Exchange.JSON.readTree(text);
        } catch (JsonProcessingException e) {
            refuse("not JSON; a command is accepted");
            return;
        }
        switch (command.path("cmd").asText()) {
            case "subscribe_health_heartbeat" -> {
                JsonNode enabled = command.path("enabled");
                if (enabled.isMissingNode() || enabled.isBoolean()) {
                    heartbeats = enabled.isMissingNode() || enabled.booleanValue();
                } else {
                    refuse("enabled: true or false is accepted");
                }
            }
            case "heartbeat" -> log.trace("kept alive");
            default -> refuse("unknown command; subscribe_health_heartbeat and heartbeat are accepted");
        }
    }

    private void refuse(String message) {
        String reply = Exchange.JSON
                .createObjectNode()
                .put("type", "error")
                .put("message", message)
                .toString();
        if (replies.tryEmitNext(reply).isFailure()) {
            close(CloseReason.ABUSE);
        }
    }
}
