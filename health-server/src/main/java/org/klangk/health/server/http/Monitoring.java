package org.klangk.health.server.http;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.netty.handler.codec.http.HttpMethod;
import java.util.List;
import org.klangk.health.server.http.Router.Access;
import org.klangk.health.service.HealthService;
import reactor.core.publisher.Mono;

/** Whether the server itself lives and serves the truth, for those who restart it or send it traffic. */
final class Monitoring {
    private final HealthService health;

    Monitoring(HealthService health) {
        this.health = health;
    }

    void routes(Router router) {
        router.route(HttpMethod.GET, "/livez", Access.OPEN, this::live);
        router.route(HttpMethod.GET, "/readyz", Access.OPEN, this::ready);
    }

    private Mono<Void> live(Exchange exchange) {
        boolean alive = health.alive();
        ObjectNode json = Exchange.JSON.createObjectNode();
        json.put("status", alive ? "live" : "stalled");
        json.put("last_heartbeat_age_ms", health.silence().toMillis());
        return exchange.json(alive ? 200 : 503, json);
    }

    private Mono<Void> ready(Exchange exchange) {
        List<String> failing = health.unready();
        ObjectNode json = Exchange.JSON.createObjectNode();
        json.put("ready", failing.isEmpty());
        failing.forEach(json.putArray("failing")::add);
        return exchange.json(failing.isEmpty() ? 200 : 503, json);
    }
}
