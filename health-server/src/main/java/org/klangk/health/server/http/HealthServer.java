package org.klangk.health.server.http;

import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import org.klangk.health.server.agent.Agent;
import org.klangk.health.server.auth.Accounts;
import org.klangk.health.server.auth.Authenticator;
import org.klangk.health.server.auth.OriginGuard;
import org.klangk.health.server.config.ConfigException;
import org.klangk.health.server.config.RuntimeKind;
import org.klangk.health.server.config.ServerConfig;
import org.klangk.health.server.config.Tls;
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
    private final ChannelGroup connections;
    private final WebSocketApi sockets;
    private final EventStreamApi streams;
    private final HealthService health;

    private HealthServer(
            DisposableServer server,
            LoopResources loops,
            ChannelGroup connections,
            WebSocketApi sockets,
            EventStreamApi streams,
            HealthService health) {
        this.server = server;
        this.loops = loops;
        this.connections = connections;
        this.sockets = sockets;
        this.streams = streams;
        this.health = health;
    }

    /** Listens; {@code health} is started already. Fails when the address cannot be listened on. */
    public static Mono<HealthServer> start(ServerConfig config, HealthService health, Authenticator authenticator) {
        return Mono.defer(() -> {
            Agent.prepare();
            Router router = new Router(new OriginGuard(config.listen().getAddress(), config.hosts()), authenticator);
            Rights rights = new Rights(
                    authenticator,
                    config.runtime() == RuntimeKind.LOCAL,
                    config.limits().workspaces());
            new WorkspaceApi(health, rights).routes(router);
            new AuthApi(authenticator instanceof Accounts accounts ? accounts : null).routes(router);
            new Monitoring(health).routes(router);
            OpenStreams open = new OpenStreams(config.limits().streams());
            WebSocketApi sockets = new WebSocketApi(health, router, open);
            sockets.routes();
            EventStreamApi streams = new EventStreamApi(health, router, open);
            streams.routes();
            ChannelGroup connections = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE);
            LoopResources loops = LoopResources.create("klangk-http", 2, true);
            return secured(HttpServer.create(), config.tls())
                    .bindAddress(config::listen)
                    .runOn(loops)
                    .idleTimeout(IDLE)
                    .doOnConnection(connection -> connections.add(connection.channel()))
                    .httpRequestDecoder(spec -> spec.maxInitialLineLength(8192).maxHeaderSize(16 * 1024))
                    .handle(router::handle)
                    .bind()
                    .map(server -> new HealthServer(server, loops, connections, sockets, streams, health))
                    .onErrorResume(error -> loops.disposeLater().then(Mono.error(error)));
        });
    }

    private static HttpServer secured(HttpServer server, @Nullable Tls tls) {
        if (tls == null) {
            return server;
        }
        try {
            SslContext context = SslContextBuilder.forServer(
                            tls.certificate().toFile(), tls.key().toFile())
                    .protocols("TLSv1.3", "TLSv1.2")
                    .build();
            return server.secure(spec -> spec.sslContext(context));
        } catch (SSLException | IllegalArgumentException e) {
            throw new ConfigException("KLANGK_TLS_CERT=" + tls.certificate() + ", KLANGK_TLS_KEY=" + tls.key()
                    + ": a certificate and its key without a password, as PEM, are accepted (" + e.getMessage() + ")");
        }
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
            return until(() -> sockets.open() == 0)
                    .then(health.stop())
                    .then(until(() -> streams.open() == 0))
                    .then(closeConnections())
                    .then(Mono.<Void>fromRunnable(server::dispose))
                    .then(server.onDispose())
                    .then(loops.disposeLater(Duration.ZERO, Duration.ofSeconds(2)));
        });
    }

    private static Mono<Void> until(BooleanSupplier done) {
        return Flux.interval(LOOK).takeUntil(tick -> done.getAsBoolean()).then().timeout(CLOSING, Mono.empty());
    }

    /** Loops that end close nothing: a client would wait for what does not come any more. */
    private Mono<Void> closeConnections() {
        return Mono.create(sink -> connections.close().addListener(closed -> sink.success()));
    }
}
