package org.klangk.health.server.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.netty.handler.codec.http.HttpMethod;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.klangk.health.server.auth.Accounts;
import org.klangk.health.server.auth.Accounts.Tokens;
import org.klangk.health.server.http.Router.Access;
import reactor.core.publisher.Mono;

/** Logging in and out. */
final class AuthApi {
    private static final String ALL = "/api/v1/auth";

    private final @Nullable Accounts accounts;

    /** @param accounts null on a server without */
    AuthApi(@Nullable Accounts accounts) {
        this.accounts = accounts;
    }

    void routes(Router router) {
        router.route(HttpMethod.POST, ALL + "/login", Access.OPEN, this::login);
        router.route(HttpMethod.POST, ALL + "/refresh", Access.OPEN, this::refresh);
        router.route(HttpMethod.POST, ALL + "/logout", Access.CALLER, this::logout);
    }

    private Accounts accounts() {
        if (accounts == null) {
            throw Problem.of(404, "no-accounts", "No accounts", "this server has no accounts to log in to");
        }
        return accounts;
    }

    private Mono<Void> login(Exchange exchange) {
        Accounts users = accounts();
        return exchange.object().flatMap(document -> {
            Map<String, String> given = texts(document, "identifier", "password");
            return answer(
                    exchange,
                    users.login(
                            given.getOrDefault("identifier", ""),
                            given.getOrDefault("password", ""),
                            address(exchange)),
                    "wrong identifier or password");
        });
    }

    private Mono<Void> refresh(Exchange exchange) {
        Accounts users = accounts();
        return exchange.object()
                .flatMap(document -> answer(
                        exchange,
                        users.refresh(texts(document, "refresh_token").getOrDefault("refresh_token", "")),
                        "the refresh token is not accepted (any more); log in"));
    }

    private static Mono<Void> answer(Exchange exchange, Mono<Tokens> tokens, String refusal) {
        return tokens.switchIfEmpty(Mono.error(() -> Problem.of(401, "login-failed", "Not authenticated", refusal)))
                .flatMap(given -> exchange.json(200, write(given)));
    }

    private static ObjectNode write(Tokens tokens) {
        return Exchange.JSON
                .createObjectNode()
                .put("access_token", tokens.access())
                .put("refresh_token", tokens.refresh())
                .put("token_type", "bearer")
                .put("expires_in", Accounts.ACCESS.toSeconds());
    }

    private static String address(Exchange exchange) {
        InetSocketAddress from = exchange.request().remoteAddress();
        return from == null ? "" : from.getAddress().getHostAddress();
    }

    /** These fields and no others, all of them texts. */
    private static Map<String, String> texts(ObjectNode document, String... fields) {
        document.fieldNames().forEachRemaining(field -> {
            if (!List.of(fields).contains(field)) {
                throw Problem.invalid(field, field + " is not a field; accepted are " + String.join(", ", fields));
            }
        });
        Map<String, String> texts = new HashMap<>();
        for (String field : fields) {
            JsonNode value = document.path(field);
            if (!value.isTextual()) {
                // Not the value: it may be a password in the wrong form.
                throw Problem.invalid(field, field + " is missing or no text; a text is accepted");
            }
            texts.put(field, value.asText());
        }
        return texts;
    }

    private Mono<Void> logout(Exchange exchange) {
        return accounts().logout(exchange.caller()).then(exchange.drain()).then(Mono.defer(() -> exchange.empty(204)));
    }
}
