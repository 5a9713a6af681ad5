package org.klangk.health.server.http;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.QueryStringDecoder;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.klangk.health.server.auth.Caller;
import org.klangk.health.time.Durations;
import reactor.core.publisher.Mono;
import reactor.netty.http.server.HttpServerRequest;
import reactor.netty.http.server.HttpServerResponse;

/**
 * One request and its answer.
 *
 * @param request the request
 * @param response its answer
 * @param path the values of the path's variables, in order
 * @param query the query's parameters
 * @param caller who asks
 * @param id identity of this exchange, for logs and problems
 */
record Exchange(
        HttpServerRequest request,
        HttpServerResponse response,
        List<String> path,
        Map<String, List<String>> query,
        Caller caller,
        String id) {
    /** No document of a client's needs more. */
    static final int MAX_BODY = 256 * 1024;

    /** How long what nobody wants is read. */
    private static final Duration DRAIN = Duration.ofSeconds(5);

    static final ObjectMapper JSON = new ObjectMapper()
            .enable(DeserializationFeature.FAIL_ON_READING_DUP_TREE_KEY)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

    static Map<String, List<String>> queryOf(HttpServerRequest request) {
        return new QueryStringDecoder(request.uri()).parameters();
    }

    @Nullable
    String parameter(String name) {
        return first(query, name);
    }

    /** A parameter that is a whole number in a range; null where there is none. */
    @Nullable
    Integer wholeNumber(String name, int least, int most) {
        Long number = wholeNumber(name, "" + least + " to " + most);
        if (number == null || (number >= least && number <= most)) {
            return number == null ? null : number.intValue();
        }
        throw notAccepted(name, least + " to " + most);
    }

    /** A parameter that is a whole number from 0 on; null where there is none. */
    @Nullable
    Long wholeNumber(String name) {
        return wholeNumber(name, "a whole number from 0 on");
    }

    private @Nullable Long wholeNumber(String name, String accepted) {
        String text = parameter(name);
        if (text == null) {
            return null;
        }
        if (!text.matches("\\d{1,18}")) {
            throw notAccepted(name, accepted);
        }
        return Long.parseLong(text);
    }

    /** A parameter that is a duration in a range. */
    Duration duration(String name, Duration otherwise, Duration least, Duration most) {
        String text = parameter(name);
        if (text == null) {
            return otherwise;
        }
        return Durations.parse(text)
                .filter(value -> value.compareTo(least) >= 0 && value.compareTo(most) <= 0)
                .orElseThrow(() -> notAccepted(
                        name,
                        "a duration from " + Durations.text(least) + " to " + Durations.text(most) + " (24h, 7d)"));
    }

    private Problem notAccepted(String name, String accepted) {
        return Problem.invalid(name, name + " is '" + parameter(name) + "'; " + accepted + " is accepted");
    }

    static @Nullable String first(Map<String, List<String>> query, String name) {
        List<String> values = query.get(name);
        return values == null || values.isEmpty() ? null : values.get(0);
    }

    /** The request's document, which must be a JSON object; an empty one where there is none. */
    Mono<ObjectNode> object() {
        return request.receive()
                .collect(ByteArrayOutputStream::new, Exchange::append)
                .map(body -> parse(body.toByteArray()));
    }

    /**
     * Reads and forgets what was sent and what nobody has read, where there is anything: the next request of the same connection
     * may get lost behind an answer that came before the end of its own request. Ends the connection where that is too much.
     */
    Mono<Void> drain() {
        boolean sent = request.requestHeaders().contains(HttpHeaderNames.CONTENT_LENGTH)
                || request.requestHeaders().contains(HttpHeaderNames.TRANSFER_ENCODING);
        if (!sent) {
            return Mono.empty();
        }
        return request.receive()
                .map(ByteBuf::readableBytes)
                .scan(Integer::sum)
                .takeUntil(bytes -> bytes > MAX_BODY)
                .last(0)
                .map(bytes -> bytes <= MAX_BODY)
                .timeout(DRAIN, Mono.just(false))
                // Somebody has read it.
                .onErrorReturn(IllegalStateException.class, true)
                .doOnNext(all -> {
                    if (!all) {
                        response.keepAlive(false);
                    }
                })
                .then();
    }

    private static void append(ByteArrayOutputStream body, ByteBuf part) {
        byte[] bytes = new byte[part.readableBytes()];
        part.readBytes(bytes);
        if (body.size() + bytes.length > MAX_BODY) {
            throw Problem.of(413, "too-large", "Too large", "at most " + MAX_BODY + " bytes are accepted");
        }
        body.write(bytes, 0, bytes.length);
    }

    private static ObjectNode parse(byte[] body) {
        if (body.length == 0) {
            return JSON.createObjectNode();
        }
        try {
            if (JSON.readTree(body) instanceof ObjectNode object) {
                return object;
            }
            throw Problem.invalid("", "a JSON object is accepted");
        } catch (JsonProcessingException e) {
            throw Problem.invalid("", "not JSON: " + e.getOriginalMessage());
        } catch (IOException e) {
            throw Problem.invalid("", "not JSON");
        }
    }

    /** Answers with a document. */
    Mono<Void> json(int status, JsonNode document) {
        return json(status, "application/json", document);
    }

    /** Answers with text as it is. */
    Mono<Void> text(byte[] bytes) {
        return response.status(200)
                .header("Content-Type", "text/plain; charset=utf-8")
                .header("Cache-Control", "no-store")
                .header("X-Content-Type-Options", "nosniff")
                .sendByteArray(Mono.just(bytes))
                .then();
    }

    /** Answers without one. */
    Mono<Void> empty(int status) {
        return response.status(status).send();
    }

    Mono<Void> problem(Problem problem) {
        ObjectNode document = JSON.createObjectNode();
        document.put("type", problem.type());
        document.put("title", problem.title());
        document.put("status", problem.status());
        document.put("detail", problem.getMessage());
        document.put("instance", id);
        if (!problem.errors().isEmpty()) {
            ArrayNode errors = document.putArray("errors");
            problem.errors()
                    .forEach(error ->
                            errors.addObject().put("pointer", error.pointer()).put("detail", error.detail()));
        }
        if (problem.status() == 413) {
            response.keepAlive(false);
        }
        if (problem.status() == 429) {
            response.header("Retry-After", "60");
        }
        if (problem.status() == 401) {
            response.header("WWW-Authenticate", "Bearer");
        }
        return json(problem.status(), "application/problem+json", document);
    }

    private Mono<Void> json(int status, String contentType, JsonNode document) {
        return response.status(status)
                .header("Content-Type", contentType)
                .header("Cache-Control", "no-store")
                .header("X-Content-Type-Options", "nosniff")
                .sendByteArray(Mono.fromCallable(() -> JSON.writeValueAsBytes(document)))
                .then();
    }
}
