package org.klangk.health.transport.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import io.netty.handler.codec.http.websocketx.WebSocketCloseStatus;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.klangk.health.frame.Frame;
import org.klangk.health.frame.Heartbeat;
import org.klangk.health.frame.LoggedFrame;
import org.klangk.health.frame.Position;
import org.klangk.health.random.Unguessable;
import org.klangk.health.stream.HealthStream;
import org.klangk.health.stream.WatchRequest;
import org.klangk.health.transport.client.LinkState.Status;
import org.klangk.health.transport.wire.FrameReader;
import org.reactivestreams.Publisher;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.netty.http.client.HttpClient;
import reactor.netty.http.client.WebsocketClientSpec;
import reactor.netty.http.websocket.WebsocketInbound;
import reactor.netty.http.websocket.WebsocketOutbound;
import reactor.util.retry.Retry;

/**
 * The stream of a server elsewhere: the same frames as its own subscribers get. A link that breaks is made again, for ever, and
 * goes on where it broke; nothing is missed or repeated but the frames of a snapshot that was cut. It fails with {@link
 * NotAllowedException} when the server does not let this client in. Signals arrive on an event loop, which must not be blocked.
 */
public final class RemoteHealthStream implements HealthStream {
    private static final Duration FIRST_WAIT = Duration.ofMillis(500);
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(60);
    /** A server marks every minute. */
    private static final Duration SILENCE = Duration.ofSeconds(150);

    private static final int MAX_MESSAGE = 1024 * 1024;
    private static final int UNAUTHORIZED = 4001;
    private static final int REFUSED = 1008;
    private static final ObjectReader JSON = new ObjectMapper().readerFor(JsonNode.class);
    private static final Logger log = LoggerFactory.getLogger(RemoteHealthStream.class);

    private final Sinks.Many<LinkState> link = Sinks.many().replay().latest();
    private final HttpClient http;
    private final URI sockets;
    private final Credentials credentials;

    RemoteHealthStream(HttpClient http, URI sockets, Credentials credentials) {
        this.http = http;
        this.sockets = sockets;
        this.credentials = credentials;
    }

    /** How the link of the latest subscriber is: now, and whenever that changes. */
    public Flux<LinkState> link() {
        return link.asFlux().distinctUntilChanged();
    }

    private void tell(LinkState state) {
        link.emitNext(state, Sinks.EmitFailureHandler.busyLooping(Duration.ofSeconds(1)));
    }

    @Override
    public Flux<List<Frame>> watchTogether(WatchRequest request) {
        return Flux.defer(() -> {
            Progress progress = new Progress(request.after());
            AtomicInteger failures = new AtomicInteger();
            return Flux.defer(() -> attempt(request, progress, failures))
                    .retryWhen(Retry.from(signals -> signals.concatMap(signal -> again(signal.failure(), failures))))
                    .filter(frame -> wanted(request, frame))
                    .map(List::of);
        });
    }

    private static boolean wanted(WatchRequest request, Frame frame) {
        if (frame instanceof LoggedFrame logged
                && logged.workspaceId() != null
                && !request.visible().test(logged.workspaceId())) {
            return false;
        }
        return frame.type().in(request.view()) && (request.heartbeats() || !(frame instanceof Heartbeat));
    }

    private Publisher<Long> again(Throwable failure, AtomicInteger failures) {
        if (failure instanceof NotAllowedException) {
            tell(new LinkState(Status.REFUSED, failure.getMessage()));
            return Mono.error(failure);
        }
        String reason = failure instanceof TimeoutException
                ? "nothing came for " + SILENCE.toSeconds() + " s"
                : describe(failure);
        log.debug("the link to {} broke: {}", sockets.getAuthority(), reason);
        tell(new LinkState(Status.BROKEN, reason));
        return Mono.delay(wait(failures.getAndIncrement()));
    }

    private static String describe(Throwable failure) {
        return failure.getMessage() == null ? failure.getClass().getSimpleName() : failure.getMessage();
    }

    /** Twice as long each time, up to a minute, and then any part of it, so that many clients do not come at once. */
    static Duration wait(int failures) {
        long most = Math.min(LONGEST_WAIT.toMillis(), FIRST_WAIT.toMillis() << Math.min(failures, 20));
        return Duration.ofMillis(Unguessable.below((int) most + 1));
    }

    private Flux<Frame> attempt(WatchRequest request, Progress progress, AtomicInteger failures) {
        tell(LinkState.of(Status.CONNECTING));
        return credentials
                .token()
                .map(Optional::of)
                .defaultIfEmpty(Optional.empty())
                .flatMapMany(token -> http.headers(
                                headers -> token.ifPresent(secret -> headers.set("Authorization", "Bearer " + secret)))
                        .websocket(WebsocketClientSpec.builder()
                                .maxFramePayloadLength(MAX_MESSAGE)
                                .build())
                        .uri(uri(progress))
                        .handle((in, out) -> read(in, out, request)))
                .doOnNext(frame -> {
                    progress.take(frame);
                    failures.set(0);
                    tell(LinkState.of(Status.OPEN));
                })
                .timeout(SILENCE)
                .concatWith(Mono.error(() -> new BrokenLinkException("the server closed it")));
    }

    /** Always the full view: only that has positions to go on from. */
    private String uri(Progress progress) {
        Position after = progress.position();
        return sockets + (after == null ? "?view=full" : "?after=" + after);
    }

    private static Publisher<Frame> read(WebsocketInbound in, WebsocketOutbound out, WatchRequest request) {
        Flux<Frame> frames = in.aggregateFrames(MAX_MESSAGE)
                .receive()
                .asString()
                .concatMap(text -> Mono.justOrEmpty(parse(text)), 1)
                .concatWith(in.receiveCloseStatus().flatMap(RemoteHealthStream::closed));
        return request.heartbeats()
                ? out.sendString(Mono.just("{\"cmd\":\"subscribe_health_heartbeat\"}"))
                        .then()
                        .thenMany(frames)
                : frames;
    }

    private static Optional<Frame> parse(String text) {
        try {
            return FrameReader.read(JSON.readTree(text));
        } catch (IOException | IllegalArgumentException e) {
            throw new BrokenLinkException("a frame that cannot be read: " + e.getMessage());
        }
    }

    private static Mono<Frame> closed(WebSocketCloseStatus status) {
        String reason = status.code() + (status.reasonText().isEmpty() ? "" : " " + status.reasonText());
        return Mono.error(
                status.code() == UNAUTHORIZED || status.code() == REFUSED
                        ? new NotAllowedException(reason)
                        : new BrokenLinkException(reason));
    }
}
