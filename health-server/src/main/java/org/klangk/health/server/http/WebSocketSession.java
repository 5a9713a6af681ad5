package org.klangk.health.server.http;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.handler.codec.TooLongFrameException;
import io.netty.handler.codec.http.websocketx.CloseWebSocketFrame;
import io.netty.handler.codec.http.websocketx.CorruptedWebSocketFrameException;
import io.netty.handler.codec.http.websocketx.PingWebSocketFrame;
import io.netty.handler.codec.http.websocketx.TextWebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocketFrame;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import org.klangk.health.frame.Frame;
import org.klangk.health.frame.Heartbeat;
import org.klangk.health.transport.wire.EncodeOnce;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.netty.FutureMono;
import reactor.netty.http.websocket.WebsocketInbound;
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

    private final Flux<List<Frame>> frames;
    private final EncodeOnce messages;
    private final LongSupplier nanos;
    private final Sinks.One<CloseReason> end = Sinks.one();
    private final Sinks.Many<String> replies = Sinks.many()
            .unicast()
            .onBackpressureBuffer(Queues.<String>get(WAITING_REPLIES).get());
    private volatile boolean heartbeats;
    private final AtomicInteger unanswered = new AtomicInteger();
    private long windowStart;
    private int commands;

    WebSocketSession(Flux<List<Frame>> frames, EncodeOnce messages, LongSupplier nanos) {
        this.frames = frames;
        this.messages = messages;
        this.nanos = nanos;
        this.windowStart = nanos.getAsLong();
    }

    /** Ends it; only the first reason counts. */
    void close(CloseReason reason) {
        end.tryEmitValue(reason);
    }

    Mono<Void> run(WebsocketInbound in) {
        AtomicReference<Channel> connected = new AtomicReference<>();
        in.withConnection(connection -> connected.set(connection.channel()));
        Channel channel = Objects.requireNonNull(connected.get());
        Mono<Void> receiving = in.aggregateFrames(MAX_MESSAGE)
                .receiveFrames()
                .doOnNext(this::received)
                .doOnError(this::broke)
                .onErrorComplete()
                .doFinally(signal -> close(CloseReason.NORMAL))
                .then();
        // The close frame is the last one sent, and then it is the client's turn: a connection that is closed at
        // once behind it makes some clients lose the code.
        Flux<Object> outgoing = Flux.<Object>merge(1, told(), answers(), pings())
                .takeUntilOther(end.asMono())
                .concatWith(end.asMono().map(reason -> new CloseWebSocketFrame(reason.code(), reason.text())));
        // One at a time, so that a client that does not read holds one group of frames here and not a queue of them.
        Mono<Void> sending = outgoing.concatMap(
                        message -> FutureMono.deferFuture(() -> channel.writeAndFlush(ready(message, channel))), 1)
                .then()
                .doOnError(error -> {
                    log.debug("a WebSocket cannot be written to: {}", error.toString());
                    close(CloseReason.FAILED);
                })
                .onErrorComplete();
        // A client that does not read, or does not close, is cut.
        Mono<Void> cut = end.asMono().delayElement(CLOSING).then(FutureMono.deferFuture(channel::close));
        return Mono.firstWithSignal(Mono.when(receiving, sending), cut);
    }

    /** Frames that were there together, as ready messages. */
    private record Group(List<byte[]> messages) {
        /** One buffer, which goes past the encoder as it is. Made when it is written, so that nobody has to give it back. */
        ByteBuf joined(ByteBufAllocator allocator) {
            int length = messages.stream().mapToInt(message -> message.length).sum();
            ByteBuf joined = allocator.ioBuffer(length);
            messages.forEach(joined::writeBytes);
            return joined;
        }
    }

    private static Object ready(Object message, Channel channel) {
        return message instanceof Group group ? group.joined(channel.alloc()) : message;
    }

    private Flux<Group> told() {
        return frames.map(this::group)
                .filter(group -> !group.messages().isEmpty())
                .doOnError(error -> {
                    log.error("a stream failed", error);
                    close(CloseReason.FAILED);
                })
                .onErrorComplete()
                .doOnComplete(() -> close(CloseReason.RESTARTING));
    }

    private Group group(List<Frame> together) {
        List<byte[]> wanted = new ArrayList<>(together.size());
        for (Frame frame : together) {
            if (heartbeats || !(frame instanceof Heartbeat)) {
                wanted.add(messages.bytes(frame));
            }
        }
        return new Group(wanted);
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
