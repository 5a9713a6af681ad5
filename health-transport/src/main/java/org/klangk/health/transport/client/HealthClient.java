package org.klangk.health.transport.client;

import java.net.URI;
import reactor.netty.http.client.HttpClient;
import reactor.netty.resources.ConnectionProvider;

/** A health service on another machine. May be used on any thread; holds nothing but what its streams hold. */
public final class HealthClient {
    private final URI sockets;
    private final Credentials credentials;
    private final HttpClient http =
            HttpClient.create(ConnectionProvider.newConnection()).disableRetry(true);

    private HealthClient(URI sockets, Credentials credentials) {
        this.sockets = sockets;
        this.credentials = credentials;
    }

    /**
     * A client of the server at {@code http://host:port} or {@code https://…}; nothing is connected before a stream is subscribed
     * to.
     *
     * @throws IllegalArgumentException when {@code server} is no such address
     */
    public static HealthClient connect(URI server, Credentials credentials) {
        String scheme = server.getScheme();
        if (server.getHost() == null || !("http".equals(scheme) || "https".equals(scheme))) {
            throw new IllegalArgumentException("server '" + server + "': http://host:port or https://host is accepted");
        }
        String authority = server.getRawAuthority();
        return new HealthClient(
                URI.create((scheme.equals("http") ? "ws://" : "wss://") + authority + "/ws"), credentials);
    }

    /** Its stream, which holds a link of its own for each subscriber. */
    public RemoteHealthStream stream() {
        return new RemoteHealthStream(http, sockets, credentials);
    }
}
