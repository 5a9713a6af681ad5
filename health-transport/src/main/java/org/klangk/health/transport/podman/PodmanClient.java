package org.klangk.health.transport.podman;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpVersion;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.URLEncoder;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.reactivestreams.Publisher;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.netty.Connection;
import reactor.netty.http.client.HttpClient;
import reactor.netty.http.client.HttpClientResponse;
import reactor.netty.resources.ConnectionProvider;
import reactor.netty.resources.LoopResources;

/**
 * Podman's REST interface over its Unix socket. NIO with the JDK's own Unix sockets, so that no native library is needed on any
 * machine. Requests that Podman refuses fail with {@link PodmanException}; every other failure means that it did not answer.
 */
final class PodmanClient {
    /** Every Podman since 4.0 serves this prefix; the number in it is not checked. */
    private static final String PREFIX = "/v4.0.0/libpod";

    private static final Duration ANSWER = Duration.ofSeconds(20);
    private static final Pattern VERSION = Pattern.compile("(\\d{1,4})\\.(\\d{1,4})");
    private static final Logger log = LoggerFactory.getLogger(PodmanClient.class);
    private static final ObjectMapper JSON = new ObjectMapper();
    /** Knows already how to read, which is otherwise found out under a lock by whoever reads first. */
    private static final ObjectReader DOCUMENTS = JSON.readerFor(JsonNode.class);

    private final LoopResources loops = LoopResources.create("klangk-podman", 2, true);
    private final ConnectionProvider pool = ConnectionProvider.builder("klangk-podman")
            .maxConnections(16)
            .pendingAcquireMaxCount(10_000)
            .pendingAcquireTimeout(Duration.ofSeconds(30))
            .maxIdleTime(Duration.ofSeconds(20))
            .build();
    private final Mono<Boolean> forgets =
            Mono.defer(this::ping).map(PodmanClient::forgetsExecs).cacheInvalidateIf(able -> false);
    private final HttpClient api;
    private final HttpClient streams;

    /** Blocks for a moment. */
    PodmanClient(Path socket) {
        loadUnixSockets();
        api = client(pool, socket).responseTimeout(ANSWER);
        streams = client(ConnectionProvider.newConnection(), socket);
    }

    /** The first use of such a socket reads configuration of the JDK, which no event loop should wait for. */
    private static void loadUnixSockets() {
        try {
            SocketChannel.open(StandardProtocolFamily.UNIX).close();
        } catch (IOException | UnsupportedOperationException e) {
            throw new IllegalStateException("this machine has no Unix sockets", e);
        }
    }

    private HttpClient client(ConnectionProvider connections, Path socket) {
        return HttpClient.create(connections)
                .remoteAddress(() -> UnixDomainSocketAddress.of(socket))
                .runOn(loops, false)
                // Creating an exec twice would run a check twice.
                .disableRetry(true)
                .headers(headers -> headers.set("Host", "podman"))
                .doOnConnected(PodmanClient::speakHttp11);
    }

    /** Over a Unix socket the client takes itself for HTTP/3 and says so, which Podman refuses. */
    private static void speakHttp11(Connection connection) {
        if (connection.channel().pipeline().get(Http11.NAME) == null) {
            connection.addHandlerLast(Http11.NAME, new Http11());
        }
    }

    private static final class Http11 extends ChannelOutboundHandlerAdapter {
        static final String NAME = "klangk-http11";

        @Override
        @SuppressWarnings("FutureReturnValueIgnored") // the promise is the caller's
        public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
            if (message instanceof HttpRequest request) {
                request.setProtocolVersion(HttpVersion.HTTP_1_1);
            }
            context.write(message, promise);
        }
    }

    /** GET; the parsed answer. */
    Mono<JsonNode> get(String path) {
        return api.get().uri(PREFIX + path).responseSingle((response, body) -> answer(response, body.asString()));
    }

    /** The same; empty where Podman has no such thing. */
    Mono<JsonNode> find(String path) {
        return get(path)
                .onErrorResume(
                        PodmanException.class, error -> error.status() == 404 ? Mono.empty() : Mono.error(error));
    }

    /** POST of a JSON document; the parsed answer, empty where there is none. */
    Mono<JsonNode> post(String path, Object document) {
        return api.headers(headers -> headers.set("Content-Type", "application/json"))
                .post()
                .uri(PREFIX + path)
                .send(body(document))
                .responseSingle((response, body) -> answer(response, body.asString()));
    }

    /** POST that may take long and answers line by line, on a connection of its own; its lines. */
    Flux<JsonNode> postLong(String path) {
        return streams.post()
                .uri(PREFIX + path)
                .response((response, body) -> response.status().code() >= 400
                        ? PodmanClient.<JsonNode>refused(
                                        response, body.aggregate().asString())
                                .flux()
                        : body.aggregate()
                                .asString()
                                .flatMapIterable(text -> text.lines().toList())
                                .filter(line -> !line.isBlank())
                                .map(PodmanClient::parse));
    }

    /** POST of bytes; the parsed answer, empty where there is none. */
    Mono<JsonNode> postBytes(String path, String contentType, byte[] bytes) {
        return api.headers(headers -> headers.set("Content-Type", contentType))
                .post()
                .uri(PREFIX + path)
                .send(Mono.fromCallable(() -> Unpooled.wrappedBuffer(bytes)))
                .responseSingle((response, body) -> answer(response, body.asString()));
    }

    /** DELETE; done when Podman says so. */
    Mono<Void> delete(String path) {
        return api.delete()
                .uri(PREFIX + path)
                .responseSingle((response, body) -> answer(response, body.asString()))
                .then();
    }

    /** Whether Podman answers, and the version of its interface. */
    Mono<String> ping() {
        return api.get()
                .uri("/_ping")
                .responseSingle((response, body) -> body.asString()
                        .defaultIfEmpty("")
                        .map(text -> String.valueOf(response.responseHeaders().get("Libpod-API-Version"))));
    }

    /** Forgets an exec that ended, where Podman can; its container's record would grow otherwise. */
    Mono<Void> forget(String execId) {
        return forgets.filter(able -> able)
                .flatMap(able -> post("/exec/" + execId + "/remove", Map.of("Force", false)))
                .then()
                .onErrorResume(error -> {
                    log.debug("an exec was not removed: {}", error.toString());
                    return Mono.empty();
                });
    }

    /** Since 4.8, by the version of the interface. */
    static boolean forgetsExecs(String version) {
        Matcher matcher = VERSION.matcher(version);
        if (!matcher.lookingAt()) {
            return false;
        }
        int major = Integer.parseInt(matcher.group(1));
        return major > 4 || (major == 4 && Integer.parseInt(matcher.group(2)) >= 8);
    }

    /** GET of a body that goes on for ever, on a connection of its own. */
    Flux<byte[]> stream(String path) {
        return streams.get()
                .uri(PREFIX + path)
                .response((response, body) -> response.status().code() == 200
                        ? body.asByteArray()
                        : PodmanClient.<byte[]>refused(
                                        response, body.aggregate().asString())
                                .flux());
    }

    /**
     * POST whose connection becomes a stream of both directions, on a connection of its own. What the check reads as standard
     * input stays open for as long as the returned publisher is subscribed to.
     */
    <T> Flux<T> attach(String path, Object document, BiFunction<HttpClientResponse, Connection, Publisher<T>> handler) {
        return streams.headers(headers -> headers.set("Content-Type", "application/json"))
                .post()
                .uri(PREFIX + path)
                .send(body(document))
                .responseConnection(handler);
    }

    /** A single buffer, so that it goes out with its length: the end of a chunked body would be read as standard input. */
    private static Mono<ByteBuf> body(Object document) {
        return Mono.fromCallable(() -> Unpooled.wrappedBuffer(JSON.writeValueAsBytes(document)));
    }

    private static Mono<JsonNode> answer(HttpClientResponse response, Mono<String> body) {
        int status = response.status().code();
        if (status >= 400) {
            return refused(response, body);
        }
        return body.filter(text -> !text.isBlank()).map(PodmanClient::parse);
    }

    static <T> Mono<T> refused(HttpClientResponse response, Mono<String> body) {
        int status = response.status().code();
        return body.defaultIfEmpty("").flatMap(text -> Mono.error(new PodmanException(status, message(text))));
    }

    private static String message(String body) {
        try {
            JsonNode message = DOCUMENTS.readTree(body).path("message");
            return message.isTextual() ? message.asText() : body;
        } catch (JsonProcessingException e) {
            return body;
        }
    }

    static JsonNode parse(String text) {
        try {
            return DOCUMENTS.readTree(text);
        } catch (JsonProcessingException e) {
            throw new PodmanException(0, "the answer is not JSON");
        }
    }

    /** A text as part of a path or a query. */
    static String encode(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    static String query(Object document) {
        try {
            return encode(JSON.writeValueAsString(document));
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(e);
        }
    }

    Mono<Void> close() {
        return pool.disposeLater().then(loops.disposeLater(Duration.ZERO, Duration.ofSeconds(2)));
    }
}
