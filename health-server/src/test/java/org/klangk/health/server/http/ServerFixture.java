package org.klangk.health.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.klangk.health.server.auth.Authenticator;
import org.klangk.health.server.config.AuthMode;
import org.klangk.health.server.config.Limits;
import org.klangk.health.server.config.ServerConfig;
import org.klangk.health.server.http.TestClient.Answer;
import org.klangk.health.server.http.TestClient.Socket;
import org.klangk.health.service.HealthService;
import org.klangk.health.testing.ScriptedRuntime;
import org.klangk.health.transport.journal.Retention;
import org.klangk.health.workspace.HealthDefaults;

/** A server on a real socket whose containers do what a test says. */
abstract class ServerFixture {
    static final Duration LONG = Duration.ofSeconds(20);
    static final String TOKEN = "the-token-of-this-test";
    /** How many workspaces and streams a user may have. */
    static final int LIMIT = 3;

    static final String ALL = "/api/v1/workspaces";

    final ScriptedRuntime runtime = new ScriptedRuntime();
    HealthServer server = start(runtime);
    final TestClient client = new TestClient(server.address().getPort(), TOKEN);

    static HealthServer start(ScriptedRuntime runtime) {
        HealthService health = HealthService.builder()
                .runtime(runtime)
                .heartbeatPeriod(Duration.ofMillis(200))
                .build();
        return serve(health);
    }

    /** A server over {@code health}, which is started. */
    static HealthServer serve(HealthService health) {
        health.start().block(LONG);
        return serve(health, Authenticator.local(TOKEN));
    }

    /** The same, which is started already, for those whom {@code authenticator} lets in. */
    static HealthServer serve(HealthService health, Authenticator authenticator) {
        ServerConfig config = new ServerConfig(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                Set.of("health.test"),
                Path.of("unused"),
                null,
                Path.of("unused"),
                AuthMode.LOCAL,
                HealthDefaults.standard(),
                Retention.standard(),
                new Limits(LIMIT, LIMIT),
                null,
                null,
                null,
                false,
                2);
        return Objects.requireNonNull(
                HealthServer.start(config, health, authenticator).block(LONG));
    }

    @AfterEach
    void stop() {
        server.stop().block(LONG);
        client.validate();
    }

    String create(String name, String more) {
        Answer made = client.post(
                ALL, "{\"name\":\"" + name + "\",\"container\":\"gw\",\"health_check\":\"true\"" + more + "}");
        assertThat(made.status()).as(made.body().toString()).isEqualTo(201);
        return made.body().path("id").asText();
    }

    String healthy(String name) {
        runtime.start("gw", Instant.parse("2026-11-30T10:00:00Z"));
        String id = create(name, "");
        Socket socket = client.socket("?token=" + TOKEN);
        assertThat(socket.next("service_health").path("healthy").asBoolean()).isTrue();
        socket.cut();
        return id;
    }
}
