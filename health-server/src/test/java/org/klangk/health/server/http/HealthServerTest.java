package org.klangk.health.server.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.klangk.health.event.StopCause;
import org.klangk.health.server.auth.Authenticator;
import org.klangk.health.server.config.AuthMode;
import org.klangk.health.server.config.ServerConfig;
import org.klangk.health.server.http.TestClient.Answer;
import org.klangk.health.server.http.TestClient.Socket;
import org.klangk.health.service.HealthService;
import org.klangk.health.testing.ScriptedRuntime;
import org.klangk.health.workspace.HealthDefaults;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;

/** REST and WebSocket as a client sees them, over real sockets. */
class HealthServerTest {
    private static final Duration LONG = Duration.ofSeconds(20);
    private static final String TOKEN = "the-token-of-this-test";
    private static final String ALL = "/api/v1/workspaces";

    private ScriptedRuntime runtime = new ScriptedRuntime();
    private HealthServer server = start(runtime);
    private TestClient client = new TestClient(server.address().getPort(), TOKEN);

    private static HealthServer start(ScriptedRuntime runtime) {
        HealthService health = HealthService.builder()
                .runtime(runtime)
                .heartbeatPeriod(Duration.ofMillis(200))
                .build();
        health.start().block(LONG);
        ServerConfig config = new ServerConfig(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                Set.of("health.test"),
                Path.of("unused"),
                null,
                Path.of("unused"),
                AuthMode.LOCAL,
                HealthDefaults.standard(),
                2);
        return Objects.requireNonNull(
                HealthServer.start(config, health, Authenticator.local(TOKEN)).block(LONG));
    }

    @AfterEach
    void stop() {
        server.stop().block(LONG);
    }

    private String create(String name, String more) {
        Answer made = client.post(
                ALL, "{\"name\":\"" + name + "\",\"container\":\"gw\",\"health_check\":\"true\"" + more + "}");
        assertThat(made.status()).as(made.body().toString()).isEqualTo(201);
        return made.body().path("id").asText();
    }

    private String healthy(String name) {
        runtime.start("gw", Instant.parse("2026-11-30T10:00:00Z"));
        String id = create(name, "");
        Socket socket = client.socket("?token=" + TOKEN);
        assertThat(socket.next("service_health").path("healthy").asBoolean()).isTrue();
        socket.cut();
        return id;
    }

    @Test
    void a_workspace_lives_from_201_to_404() {
        String id = create("gateway", ",\"interval\":\"15s\",\"startup_grace\":0");
        JsonNode read = client.get(ALL + "/" + id).body();
        assertThat(read.path("interval").asText()).isEqualTo("15s");
        assertThat(read.path("startup_grace").asText()).isEqualTo("0s");
        assertThat(read.path("timeout").asText()).isEqualTo("10s");
        assertThat(read.path("state").asText()).isEqualTo("stopped");
        Answer edited = client.send("PATCH", ALL + "/" + id, "{\"health_check\":\"\",\"timeout\":2.5}");
        assertThat(edited.status()).isEqualTo(200);
        assertThat(edited.body().path("health_check").isNull()).isTrue();
        assertThat(edited.body().path("timeout").asText()).isEqualTo("2500ms");
        assertThat(edited.body().path("interval").asText()).isEqualTo("15s");
        assertThat(client.send("PATCH", ALL + "/" + id, "{\"interval\":null}")
                        .body()
                        .path("interval")
                        .asText())
                .isEqualTo("30s");
        assertThat(client.get(ALL).body()).hasSize(1);
        assertThat(client.send("DELETE", ALL + "/" + id, null).status()).isEqualTo(204);
        assertThat(client.get(ALL + "/" + id).status()).isEqualTo(404);
        assertThat(client.send("DELETE", ALL + "/" + id, null).status()).isEqualTo(404);
        assertThat(client.get(ALL).body()).isEmpty();
    }

    @Test
    void a_list_is_bare_or_paged_and_filtered() {
        for (String name : List.of("c", "a", "b", "other")) {
            create(name, "");
        }
        assertThat(client.get(ALL).body()).hasSize(4);
        assertThat(client.get(ALL + "?q=OTH").body()).hasSize(1);
        assertThat(client.get(ALL + "?state=healthy").body()).isEmpty();
        List<String> names = new ArrayList<>();
        JsonNode page = client.get(ALL + "?limit=3").body();
        page.path("items").forEach(one -> names.add(one.path("name").asText()));
        assertThat(page.path("has_more").asBoolean()).isTrue();
        page = client.get(ALL + "?limit=3&after=" + page.path("next").asText()).body();
        page.path("items").forEach(one -> names.add(one.path("name").asText()));
        assertThat(page.path("has_more").asBoolean()).isFalse();
        assertThat(page.path("next").isNull()).isTrue();
        assertThat(names).containsExactly("a", "b", "c", "other");
        assertThat(client.get(ALL + "?limit=0").status()).isEqualTo(400);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{'name':'a','frobnicate':1} | /frobnicate | frobnicate is not a field",
                "{'name':'a','interval':'soon'} | /interval | interval is \"soon\"; a duration",
                "{'name':'a','interval':'10ms'} | /interval | interval is 10ms; 1s to 1440m are accepted",
                "{'name':'a','timeout':'6m'} | /timeout | timeout is 6m",
                "{'name':''} | /name | name is missing",
                "{'name':'a/b'} | /name | name is 'a/b'",
                "{'name':'0f0e0d0c-0b0a-0908-0706-050403020100'} | /name | a name shaped like an id",
                "{'name':'a','failures_before_unhealthy':0} | /failures_before_unhealthy | 1 to 1000 are accepted",
                "{'name':'a','failures_before_unhealthy':'3'} | /failures_before_unhealthy | a whole number is accepted",
                "{'name':'a','container':'../x'} | /container | container is '../x'",
                "{'name':'a','setup_state':'done'} | /setup_state | one of pending, complete, failed",
                "{'name':'a','probe':'magic'} | /probe | one of session, exec",
                "{'name':'a','workdir':'here'} | /workdir | an absolute path",
                "{'name':'a','members':[1]} | /members | a list of texts",
                "{'name':'a','health_check':'a\\u0000b'} | /health_check | NUL",
                "{'name':'a','name':'b'} | '' | not JSON",
                "{'name':'a'} trailing | '' | not JSON",
                "[] | '' | a JSON object is accepted",
                "nonsense | '' | not JSON",
            })
    void what_cannot_be_accepted_is_named(String body, String pointer, String detail) {
        Answer answer = client.post(ALL, body.replace('\'', '"'));
        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.response().headers().firstValue("Content-Type")).contains("application/problem+json");
        assertThat(answer.body().path("type").asText()).isEqualTo("/problems/invalid-request");
        assertThat(answer.body().path("errors").path(0).path("pointer").asText())
                .isEqualTo(pointer);
        assertThat(answer.body().path("errors").path(0).path("detail").asText()).contains(detail);
        assertThat(client.get(ALL).body()).isEmpty();
    }

    @Test
    void several_mistakes_are_told_at_once() {
        Answer answer = client.post(ALL, "{\"name\":\"\",\"interval\":\"1ms\",\"timeout\":\"1h\"}");
        assertThat(answer.body().path("errors")).hasSize(3);
    }

    @Test
    void names_collide_with_409() {
        create("gateway", "");
        Answer second = client.post(ALL, "{\"name\":\"gateway\"}");
        assertThat(second.status()).isEqualTo(409);
        assertThat(second.body().path("type").asText()).isEqualTo("/problems/name-taken");
    }

    @Test
    void paths_methods_types_and_sizes_that_are_not_accepted_say_so() {
        assertThat(client.get("/api/v1/nothing").status()).isEqualTo(404);
        assertThat(client.get(ALL + "/../../etc/passwd").status()).isEqualTo(404);
        assertThat(client.get(ALL + "/no%2Fid").status()).isEqualTo(404);
        Answer put = client.send("PUT", ALL, "{}");
        assertThat(put.status()).isEqualTo(405);
        assertThat(put.response().headers().firstValue("Allow")).contains("GET, POST");
        assertThat(client.send("POST", ALL, "{}", "Content-Type", "text/plain").status())
                .isEqualTo(415);
        assertThat(client.post(ALL, "{\"name\":\"" + "x".repeat(300_000) + "\"}")
                        .status())
                .isEqualTo(413);
        assertThat(client.get("/ws").status()).isEqualTo(426);
    }

    @Test
    void status_begins_with_klangks_fields_exactly_so() {
        String id = healthy("gateway");
        Answer answer = client.get(ALL + "/" + id + "/status");
        assertThat(TestClient.fields(answer.body()))
                .startsWith("running", "container_id", "health", "health_message", "health_checked_at")
                .containsExactly(
                        "running",
                        "container_id",
                        "health",
                        "health_message",
                        "health_checked_at",
                        "id",
                        "name",
                        "state",
                        "reason",
                        "since",
                        "outcome",
                        "exit_code",
                        "age_ms",
                        "next_check_at",
                        "probe",
                        "streak",
                        "incarnation",
                        "service_started_at",
                        "grace_until",
                        "seq",
                        "rev",
                        "epoch",
                        "serving_process");
        assertThat(answer.body().path("health").asText()).isEqualTo("healthy");
        assertThat(answer.body().path("health_checked_at").asText())
                .matches("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z");
        assertThat(answer.response().headers().firstValue("ETag"))
                .contains("W/\"" + answer.body().path("epoch").asText() + "."
                        + answer.body().path("rev").asText() + "\"");
        assertThat(answer.response().headers().firstValue("Cache-Control")).contains("no-store");
    }

    @Test
    void a_frame_begins_with_klangks_seven_fields_exactly_so() {
        runtime.start("gw", Instant.parse("2026-11-30T10:00:00Z"));
        Socket socket = client.socket("?token=" + TOKEN);
        String id = create("gateway", "");
        JsonNode frame = socket.next("service_health");
        assertThat(TestClient.fields(frame))
                .containsExactly(
                        "type",
                        "workspace_id",
                        "healthy",
                        "health_message",
                        "running",
                        "health_checked_at",
                        "seq",
                        "kind",
                        "name",
                        "state",
                        "since",
                        "outcome",
                        "exit_code",
                        "incarnation",
                        "rev",
                        "epoch");
        assertThat(frame.path("workspace_id").asText()).isEqualTo(id);
        assertThat(frame.path("healthy").isBoolean()).isTrue();
        assertThat(frame.path("seq").asInt()).isEqualTo(1);
        assertThat(frame.path("kind").asText()).isEqualTo("change");
    }

    @Test
    void a_client_that_knows_only_klangks_types_sees_snapshot_changes_and_death() {
        String id = healthy("gateway");
        Socket socket = client.socket("?token=" + TOKEN);
        JsonNode snapshot = socket.next();
        assertThat(snapshot.path("type").asText()).isEqualTo("service_health");
        assertThat(snapshot.path("kind").asText()).isEqualTo("snapshot");
        assertThat(snapshot.path("seq").asInt()).isEqualTo(1);
        client.send("PATCH", ALL + "/" + id, "{\"startup_grace\":0}");
        runtime.answer(request -> Mono.just(ScriptedRuntime.failed()));
        Answer check = client.post(ALL + "/" + id + "/check", "{}");
        assertThat(check.body().path("outcome").asText()).isEqualTo("failed");
        assertThat(check.body().path("exit_code").asInt()).isEqualTo(1);
        assertThat(check.body().path("message").asText()).isEqualTo("exited 1");
        assertThat(socket.next().path("type").asText()).isEqualTo("workspaces_changed");
        runtime.die("gw", StopCause.oom(137, 1L << 30), Instant.parse("2026-11-30T10:00:01Z"));
        JsonNode death = socket.next("service_health");
        while (death.path("running").asBoolean()) {
            death = socket.next("service_health");
        }
        assertThat(death.path("healthy").asBoolean()).isFalse();
        assertThat(death.path("health_message").asText()).isEqualTo("OOM-killed at 1g memory limit (exit code 137)");
        assertThat(socket.next().path("type").asText()).isEqualTo("container_status");
    }

    @Test
    void the_full_view_has_everything_and_resumes_where_it_was_left() {
        Socket socket = client.socket("?view=full", "Authorization", "Bearer " + TOKEN);
        JsonNode end = socket.next("snapshot_end");
        runtime.start("gw", Instant.parse("2026-11-30T10:00:00Z"));
        create("gateway", "");
        List<JsonNode> first = new ArrayList<>();
        while (first.isEmpty()
                || !first.get(first.size() - 1).path("type").asText().equals("service_health")) {
            first.add(socket.next());
        }
        assertThat(first)
                .extracting(frame -> frame.path("type").asText())
                .contains("workspaces_changed", "workspace_state", "container_status", "service_health");
        socket.cut();
        Socket resumed = client.socket("?token=" + TOKEN + "&after="
                + end.path("epoch").asText() + "." + end.path("rev").asText());
        for (JsonNode frame : first) {
            assertThat(resumed.next()).isEqualTo(frame);
        }
        JsonNode gone = client.socket("?token=" + TOKEN + "&after=OTHER.1").next();
        assertThat(gone.path("type").asText()).isEqualTo("gone");
        assertThat(gone.path("reason").asText()).isEqualTo("epoch_changed");
    }

    @Test
    void heartbeats_are_opt_in_and_commands_that_are_none_are_answered() {
        Socket socket = client.socket("?token=" + TOKEN);
        socket.say("{\"cmd\":\"heartbeat\"}");
        socket.say("{\"cmd\":\"dance\"}");
        assertThat(socket.next().path("type").asText()).isEqualTo("error");
        socket.say("not json");
        assertThat(socket.next().path("message").asText()).contains("not JSON");
        socket.say("{\"cmd\":\"subscribe_health_heartbeat\"}");
        JsonNode beat = socket.next();
        assertThat(beat.path("type").asText()).isEqualTo("service_health_heartbeat");
        assertThat(beat.path("period_ms").asInt()).isEqualTo(200);
        assertThat(TestClient.fields(beat))
                .contains("timestamp", "epoch", "rev", "watched", "in_flight", "worst_lateness_ms");
        socket.say("{\"cmd\":\"subscribe_health_heartbeat\",\"enabled\":false}");
        socket.say("{\"cmd\":\"dance\"}");
        socket.next("error");
        socket.say("{\"cmd\":\"dance\"}");
        assertThat(socket.next("error")).isNotNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "?token=", "?token=wrong", "?token=the-token-of-this-tes"})
    void without_the_token_a_socket_is_upgraded_and_closed_with_4001(String query) {
        assertThat(new TestClient(server.address().getPort(), null)
                        .socket(query)
                        .closeCode())
                .isEqualTo(4001);
    }

    @Test
    void other_ends_of_a_socket_have_their_codes() {
        assertThat(client.socket("?token=" + TOKEN + "&after=nonsense").closeCode())
                .isEqualTo(1008);
        Socket flooding = client.socket("?token=" + TOKEN);
        flooding.say("x".repeat(20_000));
        assertThat(flooding.closeCode()).isEqualTo(1009);
        Socket abusing = client.socket("?token=" + TOKEN);
        for (int i = 0; i <= 60; i++) {
            abusing.say("{\"cmd\":\"heartbeat\"}");
        }
        assertThat(abusing.closeCode()).isEqualTo(1008);
    }

    @RepeatedTest(10)
    void a_server_that_stops_tells_every_socket_that_it_restarts() {
        List<Socket> sockets = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            sockets.add(client.socket("?token=" + TOKEN + "&view=full"));
        }
        sockets.forEach(socket -> socket.next("snapshot_end"));
        server.stop().block(LONG);
        assertThat(sockets).extracting(Socket::closeCode).containsOnly(1012);
        server = start(new ScriptedRuntime());
    }

    @Test
    void without_the_token_nothing_is_told() {
        TestClient stranger = new TestClient(server.address().getPort(), null);
        for (String path : List.of(ALL, ALL + "/x", ALL + "/x/status", "/api/v1/nothing")) {
            Answer answer = stranger.get(path);
            assertThat(answer.status()).as(path).isEqualTo(401);
            assertThat(answer.response().headers().firstValue("WWW-Authenticate"))
                    .contains("Bearer");
        }
        assertThat(stranger.post(ALL, "{\"name\":\"x\"}").status()).isEqualTo(401);
        assertThat(stranger.get(ALL + "?token=" + TOKEN).status()).isEqualTo(401);
        assertThat(stranger.get("/livez").status()).isEqualTo(200);
        assertThat(stranger.get("/readyz").status()).isEqualTo(200);
        assertThat(client.get(ALL).body()).isEmpty();
    }

    @Test
    void a_page_of_another_origin_gets_nowhere() {
        String body = "{\"name\":\"x\",\"health_check\":\"touch /tmp/owned\"}";
        assertThat(client.send("POST", ALL, body, "Origin", "http://evil.test").status())
                .isEqualTo(403);
        assertThat(client.send("POST", ALL, body, "Origin", "null").status()).isEqualTo(403);
        assertThat(client.send("POST", ALL, body, "Sec-Fetch-Site", "cross-site")
                        .status())
                .isEqualTo(403);
        assertThat(client.send("DELETE", ALL + "/x", null, "Origin", "http://evil.test")
                        .status())
                .isEqualTo(403);
        assertThat(client.send("GET", ALL, null, "Host", "evil.test").status()).isEqualTo(421);
        assertThat(client.send("POST", ALL, body, "Host", "evil.test:8997", "Origin", "http://evil.test:8997")
                        .status())
                .isEqualTo(421);
        assertThat(client.send("GET", ALL, null, "Host", "health.test").status())
                .isEqualTo(200);
        assertThatThrownBy(() -> client.socket("?token=" + TOKEN, "Origin", "http://evil.test"))
                .isInstanceOf(CompletionException.class);
        String own = "http://127.0.0.1:" + server.address().getPort();
        Socket socket = client.socket("?token=" + TOKEN + "&view=full", "Origin", own);
        assertThat(socket.next("snapshot_end").path("count").asInt()).isZero();
        assertThat(client.get(ALL).body()).isEmpty();
        assertThat(runtime.requests()).isEmpty();
    }

    @Test
    void service_started_anchors_grace_and_needs_a_container() {
        String id = create("gateway", ",\"service_command\":\"serve\"");
        assertThat(client.post(ALL + "/" + id + "/service-started", "{}").status())
                .isEqualTo(409);
        assertThat(client.post(ALL + "/" + id + "/check", "{}").status()).isEqualTo(409);
        runtime.start("gw", Instant.parse("2026-11-30T10:00:00Z"));
        Socket socket = client.socket("?token=" + TOKEN);
        socket.next("service_health");
        Answer answer = client.post(ALL + "/" + id + "/service-started", "{}");
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.body().path("service_started_at").isTextual()).isTrue();
        assertThat(answer.body().path("grace_until").isTextual()).isTrue();
        assertThat(client.post(ALL + "/" + id + "/check", "{\"x\":1}").status()).isEqualTo(400);
    }

    @Test
    void a_socket_that_nobody_reads_costs_the_others_nothing() {
        String id = healthy("gateway");
        client.send("PATCH", ALL + "/" + id, "{\"startup_grace\":0,\"start_interval\":\"100ms\"}");
        Socket deaf = client.socket("?token=" + TOKEN + "&view=full");
        deaf.stopReading();
        Socket reader = client.socket("?token=" + TOKEN + "&view=full");
        reader.next("snapshot_end");
        for (int i = 1; i <= 50; i++) {
            boolean healthy = i % 2 == 0;
            runtime.answer(request -> Mono.just(healthy ? ScriptedRuntime.passed() : ScriptedRuntime.failed()));
            client.send("PATCH", ALL + "/" + id, "{\"health_check\":\"check " + i + "\"}");
            JsonNode frame = reader.next("service_health");
            assertThat(frame.path("healthy").asBoolean()).isEqualTo(healthy);
            assertThat(frame.path("seq").asInt()).isEqualTo(i + 1);
        }
        deaf.cut();
    }

    @Test
    void a_client_that_goes_away_is_no_error_of_the_server() throws IOException, InterruptedException {
        BlockingQueue<ILoggingEvent> logged = new LinkedBlockingQueue<>();
        AppenderBase<ILoggingEvent> appender = new AppenderBase<>() {
            @Override
            protected void append(ILoggingEvent event) {
                logged.add(event);
            }
        };
        Logger logger = (Logger) LoggerFactory.getLogger(Router.class);
        logger.addAppender(appender);
        logger.setLevel(Level.DEBUG);
        appender.start();
        try {
            try (java.net.Socket socket = new java.net.Socket(
                    InetAddress.getLoopbackAddress(), server.address().getPort())) {
                String head = "POST " + ALL + " HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                        + "Authorization: Bearer " + TOKEN + "\r\nContent-Length: 1000\r\n\r\n{";
                socket.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
            }
            ILoggingEvent event = logged.poll(20, TimeUnit.SECONDS);
            assertThat(event).isNotNull();
            assertThat(Objects.requireNonNull(event).getLevel()).isEqualTo(Level.DEBUG);
            assertThat(event.getFormattedMessage())
                    .contains("the client went away")
                    .doesNotContain(TOKEN);
            assertThat(client.get(ALL).status()).isEqualTo(200);
        } finally {
            logger.detachAppender(appender);
            logger.setLevel(null);
        }
    }

    @Test
    void the_server_says_how_it_is_itself() {
        assertThat(client.get("/livez").body().path("status").asText()).isEqualTo("live");
        assertThat(client.get("/readyz").body().path("ready").asBoolean()).isTrue();
        runtime.tell(new org.klangk.health.runtime.RuntimeEvent.Unreachable("connection refused"));
        JsonNode told = client.socket("?token=" + TOKEN + "&view=full").next("monitor_health");
        assertThat(told.path("component").asText()).isEqualTo("runtime");
        assertThat(told.path("healthy").asBoolean()).isFalse();
        Answer ready = client.get("/readyz");
        assertThat(ready.status()).isEqualTo(503);
        assertThat(ready.body().path("failing").path(0).asText()).isEqualTo("runtime");
    }
}
