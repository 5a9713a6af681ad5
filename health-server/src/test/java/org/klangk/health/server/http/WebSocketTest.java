package org.klangk.health.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.klangk.health.event.StopCause;
import org.klangk.health.server.http.TestClient.Answer;
import org.klangk.health.server.http.TestClient.Socket;
import org.klangk.health.testing.ScriptedRuntime;
import reactor.core.publisher.Mono;

/** WebSockets as a client sees them, over real sockets. */
class WebSocketTest extends ServerFixture {
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
}
