package org.klangk.health.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.klangk.health.server.http.TestClient.Answer;
import org.klangk.health.server.http.TestClient.Event;
import org.klangk.health.server.http.TestClient.Events;
import org.klangk.health.server.http.TestClient.Socket;
import org.klangk.health.testing.ScriptedRuntime;

/** Server-sent events as a client sees them, over real sockets. */
class EventStreamTest extends ServerFixture {
    private static final String STREAM = "/api/v1/stream";

    @Test
    void the_same_frames_as_over_a_websocket_each_with_its_place() {
        Events events = client.events("?view=full");
        assertThat(events.response().headers().firstValue("Content-Type")).contains("text/event-stream");
        assertThat(events.response().headers().firstValue("Cache-Control")).contains("no-store");
        assertThat(events.next()).as("a comment at once").isEqualTo(new Event("", "", ""));
        Socket socket = client.socket("?view=full", "Authorization", "Bearer " + TOKEN);
        Event end = events.next("snapshot_end");
        socket.next("snapshot_end");
        assertThat(end.id()).isEqualTo(place(end.frame()));
        runtime.start("gw", Instant.parse("2026-11-30T10:00:00Z"));
        create("gateway", "");
        List<String> types = new ArrayList<>();
        do {
            Event event = events.next();
            types.add(event.type());
            assertThat(event.frame()).isEqualTo(socket.next());
            assertThat(event.type()).isEqualTo(event.frame().path("type").asText());
            assertThat(event.id()).isEqualTo(place(event.frame()));
        } while (!types.contains("service_health"));
        assertThat(types).contains("workspaces_changed", "container_status", "workspace_state", "service_health");
    }

    private static String place(JsonNode frame) {
        return frame.path("epoch").asText() + "." + frame.path("rev").asText();
    }

    @Test
    void a_client_goes_on_from_the_last_event_it_saw() {
        Events events = client.events("?view=full");
        Event begin = events.next("snapshot_end");
        healthy("gateway");
        Event verdict = events.next("service_health");
        events.cut();
        Events resumed = client.events("?view=full", "Last-Event-ID", begin.id());
        assertThat(resumed.next("service_health")).isEqualTo(verdict);
        Events byQuery = client.events("?after=" + begin.id() + "&view=full");
        assertThat(byQuery.next("service_health")).isEqualTo(verdict);
        Events both = client.events("?view=full&after=OTHER.1", "Last-Event-ID", begin.id());
        assertThat(both.next("service_health")).isEqualTo(verdict);
        Event gone = client.events("?view=full", "Last-Event-ID", "OTHER.1").next("gone");
        assertThat(gone.frame().path("reason").asText()).isEqualTo("epoch_changed");
        assertThat(gone.id()).isEmpty();
    }

    @Test
    void within_a_snapshot_there_is_nowhere_to_go_on_from() {
        healthy("gateway");
        Events full = client.events("?view=full");
        Event known = full.next("service_health");
        assertThat(known.frame().path("kind").asText()).isEqualTo("snapshot");
        assertThat(known.id()).isEmpty();
        assertThat(full.next("snapshot_end").id()).isNotEmpty();
    }

    @Test
    void klangks_view_stays_klangks_when_it_goes_on() {
        Events events = client.events("");
        String id = healthy("gateway");
        Event first = events.next("service_health");
        events.cut();
        Events resumed = client.events("", "Last-Event-ID", first.id());
        client.send("PATCH", ALL + "/" + id, "{\"enabled\":false}");
        resumed.next();
        assertThat(resumed.next().type()).as("not the change of state").isEqualTo("workspaces_changed");
        client.send("DELETE", ALL + "/" + id, null);
        assertThat(resumed.next().type()).as("not the removal").isEqualTo("workspaces_changed");
    }

    @Test
    void a_stream_ends_when_the_server_does() {
        Events events = client.events("?view=full");
        events.next("snapshot_end");
        server.stop().block(LONG);
        events.awaitEnd();
        server = start(new ScriptedRuntime());
    }

    @Test
    void without_the_token_and_from_another_origin_there_is_none() {
        Answer answer = new TestClient(server.address().getPort(), null).get(STREAM);
        assertThat(answer.status()).isEqualTo(401);
        assertThat(client.send("GET", STREAM, null, "Origin", "http://evil.example")
                        .status())
                .isEqualTo(403);
        Events byQuery = new TestClient(server.address().getPort(), null).events("?token=" + TOKEN + "&view=full");
        byQuery.next("snapshot_end");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "?view=everything | | /view | view: klangk or full is accepted",
                "?after=yesterday | | /after | after: position: <epoch>.<rev> is accepted",
                "'' | yesterday | /Last-Event-ID | Last-Event-ID: position: <epoch>.<rev> is accepted",
            })
    void what_cannot_be_asked_for_is_named(String query, String last, String pointer, String detail) {
        Answer answer = last == null
                ? client.get(STREAM + query)
                : client.send("GET", STREAM + query, null, "Last-Event-ID", last);
        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.body().path("errors").path(0).path("pointer").asText())
                .isEqualTo(pointer);
        assertThat(answer.body().path("errors").path(0).path("detail").asText()).isEqualTo(detail);
    }
}
