package org.klangk.health.server.http;

import java.net.InetSocketAddress;
import java.time.Duration;
import org.klangk.health.server.auth.Authenticator;
import org.klangk.health.server.auth.OriginGuard;
import org.klangk.health.server.config.ServerConfig;
import org.klangk.health.service.HealthService;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.netty.DisposableServer;
import reactor.netty.http.server.HttpServer;
import reactor.netty.resources.LoopResources;

/** A health service on a socket. Methods may be called on any thread. */
public final class HealthServer {
    private static final Duration IDLE = Duration.ofSeconds(75);
    private static final Duration CLOSING = Duration.ofSeconds(6);
    private static final Duration LOOK = Duration.ofMillis(20);

    private final DisposableServer server;
    private final LoopResources loops;
    private final WebSocketApi sockets;
    private final HealthService health;

    private HealthServer(DisposableServer server, LoopResources loops, WebSocketApi sockets, HealthService health) {
        this.server = server;
        this.loops = loops;
        this.sockets = sockets;
        this.health = health;
    }

    /** Listens; {@code health} is started already. Fails when the address cannot be listened on. */
    public static Mono<HealthServer> start(ServerConfig config, HealthService health, Authenticator authenticator) {
        return Mono.defer(() -> {
            Router router = new Router(new OriginGuard(config.listen().getAddress(), config.hosts()), authenticator);
            new WorkspaceApi(health).routes(router);
            new Monitoring(health).routes(router);
            WebSocketApi sockets = new WebSocketApi(health, router);
            sockets.routes();
            new EventStreamApi(health, router).routes();
            LoopResources loops = LoopResources.create("klangk-http", 2, true);
            return HttpServer.create()
                    .bindAddress(config::listen)
                    .runOn(loops)
                    .idleTimeout(IDLE)
                    .httpRequestDecoder(spec -> spec.maxInitialLineLength(8192).maxHeaderSize(16 * 1024))
                    .handle(router::handle)
                    .bind()
                    .map(server -> new HealthServer(server, loops, sockets, health))
                    .onErrorResume(error -> loops.disposeLater().then(Mono.error(error)));
        });
    }

    /** Where it listens. */
    public InetSocketAddress address() {
        return (InetSocketAddress) server.address();
    }

    /** Tells every stream that it restarts, waits a moment for them to go, then stops listening and ends the service. */
    public Mono<Void> stop() {
        return Mono.defer(() -> {
            health.drain();
            sockets.closeAll();
            return Flux.interval(Duration.ZERO, LOOK)
                    .takeUntil(tick -> sockets.open() == 0)
                    .then()
                    .timeout(CLOSING, Mono.empty())
                    .then(health.stop())
                    .then(Mono.<Void>fromRunnable(server::dispose))
                    .then(server.onDispose())
                    .then(loops.disposeLater(Duration.ZERO, Duration.ofSeconds(2)));
        });
    }
}
