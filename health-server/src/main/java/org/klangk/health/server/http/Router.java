package org.klangk.health.server.http;

import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.klangk.health.random.Unguessable;
import org.klangk.health.server.auth.Authenticator;
import org.klangk.health.server.auth.Caller;
import org.klangk.health.server.auth.OriginGuard;
import org.klangk.health.server.auth.Proof;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.netty.channel.AbortedException;
import reactor.netty.http.server.HttpServerRequest;
import reactor.netty.http.server.HttpServerResponse;

/** Brings a request to its handler: origin first, then authentication, then the path; every error leaves as a problem. */
final class Router {
    private static final Logger log = LoggerFactory.getLogger(Router.class);
    private static final Pattern VARIABLE = Pattern.compile("\\{[a-z_]+}");

    /** Who may come to a route. */
    enum Access {
        /** Whoever proved who they are. */
        CALLER,
        /** Anybody. */
        OPEN,
        /** Anybody, and the handler decides; opens a stream. */
        STREAM
    }

    private static final Duration LOOK_AGAIN = Duration.ofSeconds(1);

    private record Route(HttpMethod method, Pattern path, Access access, Function<Exchange, Mono<Void>> handler) {}

    private final OriginGuard guard;
    private final Authenticator authenticator;
    private final List<Route> routes = new ArrayList<>();

    Router(OriginGuard guard, Authenticator authenticator) {
        this.guard = guard;
        this.authenticator = authenticator;
    }

    /** Adds a route; {@code {name}} in {@code template} stands for one segment. */
    Router route(HttpMethod method, String template, Access access, Function<Exchange, Mono<Void>> handler) {
        Pattern path = Pattern.compile(VARIABLE.matcher(template).replaceAll("([^/]+)"));
        routes.add(new Route(method, path, access, handler));
        return this;
    }

    Mono<Void> handle(HttpServerRequest request, HttpServerResponse response) {
        String path = request.uri().split("\\?", 2)[0];
        Exchange anonymous =
                new Exchange(request, response, List.of(), Exchange.queryOf(request), Caller.LOCAL, Unguessable.hex(8));
        Mono<Void> answered =
                Mono.defer(() -> dispatch(anonymous, path)).onErrorResume(error -> answer(anonymous, error));
        return takesDocument(request.method()) ? answered : anonymous.drain().then(answered);
    }

    private static boolean takesDocument(HttpMethod method) {
        return method.equals(HttpMethod.POST) || method.equals(HttpMethod.PUT) || method.equals(HttpMethod.PATCH);
    }

    private Mono<Void> answer(Exchange exchange, Throwable error) {
        if (error instanceof AbortedException || AbortedException.isConnectionReset(error)) {
            log.debug("request {}: the client went away", exchange.id());
            return Mono.error(error);
        }
        Problem problem = Problem.from(error);
        if (problem.status() >= 500) {
            log.error("request {} failed", exchange.id(), error);
        }
        return exchange.response().hasSentHeaders()
                ? Mono.error(error)
                : exchange.drain().then(exchange.problem(problem));
    }

    private Mono<Void> dispatch(Exchange exchange, String path) {
        HttpMethod method = exchange.request().method();
        List<Route> known = routes.stream()
                .filter(route -> route.path().matcher(path).matches())
                .toList();
        Optional<Route> found =
                known.stream().filter(route -> route.method().equals(method)).findFirst();
        refuseForeign(
                exchange.request().requestHeaders(),
                method,
                found.map(Route::access).orElse(Access.CALLER));
        boolean open = found.isPresent() && found.get().access() != Access.CALLER;
        Caller caller = open ? Caller.LOCAL : authenticate(exchange.request().requestHeaders());
        if (caller.readOnly() && !method.equals(HttpMethod.GET)) {
            throw Problem.forbidden("this token is good for reading only");
        }
        if (found.isEmpty()) {
            throw known.isEmpty()
                    ? Problem.of(404, "not-found", "Not found", "there is nothing here")
                    : notAllowed(exchange, known);
        }
        return found.get()
                .handler()
                .apply(new Exchange(
                        exchange.request(),
                        exchange.response(),
                        variables(found.get().path(), path),
                        exchange.query(),
                        caller,
                        exchange.id()));
    }

    private void refuseForeign(HttpHeaders headers, HttpMethod method, Access access) {
        boolean reads = method.equals(HttpMethod.GET) || method.equals(HttpMethod.HEAD);
        guard.refuse(new OriginGuard.Asked(
                        headers.get("Host"),
                        headers.get("Origin"),
                        headers.get("Sec-Fetch-Site"),
                        headers.get("Content-Type"),
                        !reads || access == Access.STREAM,
                        takesDocument(method)))
                .ifPresent(refusal -> {
                    throw Problem.of(refusal.status(), "refused", "Refused", refusal.detail());
                });
    }

    private Caller authenticate(HttpHeaders headers) {
        return admitted(authenticator.check(headers.get("Authorization"), null));
    }

    /** The caller; a problem where there is none. */
    static Caller admitted(Proof proof) {
        if (proof instanceof Proof.Admitted admitted) {
            return admitted.caller();
        }
        throw proof == Proof.Denied.EXPIRED ? Problem.expired() : Problem.unauthorized();
    }

    private static Problem notAllowed(Exchange exchange, List<Route> known) {
        String methods =
                known.stream().map(route -> route.method().name()).distinct().collect(Collectors.joining(", "));
        exchange.response().header("Allow", methods);
        return Problem.of(405, "method-not-allowed", "Method not allowed", "accepted are " + methods);
    }

    private static List<String> variables(Pattern pattern, String path) {
        Matcher matcher = pattern.matcher(path);
        if (!matcher.matches()) {
            return List.of();
        }
        return IntStream.rangeClosed(1, matcher.groupCount())
                .mapToObj(group -> decode(matcher.group(group)))
                .toList();
    }

    private static String decode(String segment) {
        try {
            return URLDecoder.decode(segment.replace("+", "%2B"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            throw Problem.of(404, "not-found", "Not found", "there is nothing here");
        }
    }

    /** Why a stream of this caller must end, as soon as it must: nobody keeps what they would not get any more. */
    Mono<Proof.Denied> dismissed(Caller caller) {
        return caller.equals(Caller.LOCAL)
                ? Mono.never()
                : Flux.interval(LOOK_AGAIN)
                        .onBackpressureDrop()
                        .mapNotNull(tick -> authenticator.again(caller) instanceof Proof.Denied denied ? denied : null)
                        .next();
    }

    /** For handlers that authenticate themselves. */
    Proof proof(Exchange exchange) {
        return authenticator.check(
                exchange.request().requestHeaders().get("Authorization"), exchange.parameter("token"));
    }
}
