package org.klangk.health.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.klangk.health.event.StopCause;
import org.klangk.health.server.http.TestClient.Answer;
import org.klangk.health.server.http.TestClient.Socket;

/** What a workspace's past looks like over REST. */
class HistoryApiTest extends ServerFixture {
    private String died() {
        String id = healthy("gateway");
        Socket socket = client.socket("?token=" + TOKEN);
        socket.next("service_health");
        runtime.die("gw", StopCause.exited(3), Instant.now());
        assertThat(socket.next("container_status").path("running").asBoolean()).isFalse();
        socket.cut();
        return id;
    }

    private JsonNode events(String id, String query) {
        Answer answer = client.get(ALL + "/" + id + "/events" + query);
        assertThat(answer.status()).as(answer.body().toString()).isEqualTo(200);
        return answer.body();
    }

    private static List<String> words(JsonNode page) {
        List<String> words = new ArrayList<>();
        page.path("items")
                .forEach(item -> words.add(item.path("kind").asText()
                        + " "
                        + item.path(item.has("to") ? "to" : item.has("event") ? "event" : "outcome")
                                .asText()));
        return words;
    }

    @Test
    void a_past_is_told_from_its_definition_to_its_death() {
        String id = died();
        JsonNode page = events(id, "?kind=definition,container,transition,result");
        assertThat(words(page))
                .containsExactly(
                        "definition defined",
                        "transition stopped",
                        "container started",
                        "transition unknown",
                        "result passed",
                        "transition healthy",
                        "container stopped",
                        "transition stopped");
        JsonNode last = page.path("items").get(7);
        assertThat(last.path("from").asText()).isEqualTo("healthy");
        assertThat(last.path("message").asText()).isEqualTo("exited 3");
        assertThat(last.path("cause").asText()).isEqualTo("exited");
        assertThat(last.path("rev").asLong()).isPositive();
        JsonNode results = page.path("items").get(4);
        assertThat(results.path("count").asLong()).isPositive();
        assertThat(results.path("counted").asBoolean()).isTrue();
        assertThat(results.path("last_at").asText()).endsWith("Z");
        assertThat(page.path("items").get(0).path("workspace").path("name").asText())
                .isEqualTo("gateway");
    }

    @Test
    void it_is_read_page_by_page_and_by_kind() {
        String id = died();
        List<String> all = words(events(id, ""));
        List<String> paged = new ArrayList<>();
        long after = 0;
        boolean more = true;
        while (more) {
            JsonNode page = events(id, "?limit=3&after=" + after);
            paged.addAll(words(page));
            after = page.path("next").asLong();
            more = page.path("has_more").asBoolean();
        }
        assertThat(paged).isEqualTo(all).hasSize(9).startsWith("monitor ");
        assertThat(words(events(id, "?limit=2"))).isEqualTo(all.subList(7, 9));
        assertThat(events(id, "?limit=2").path("has_more").asBoolean()).isFalse();
        assertThat(words(events(id, "?kind=result&kind=definition")))
                .containsExactly("definition defined", "result passed");
        assertThat(events(id, "?after=" + after).path("items")).isEmpty();
    }

    @Test
    void it_is_explained_and_tried_under_another_policy() {
        String id = died();
        JsonNode explained = client.get(ALL + "/" + id + "/explain").body();
        assertThat(explained.path("turns").asInt()).isZero();
        assertThat(explained.path("would_have_been").isNull()).isTrue();
        List<String> steps = new ArrayList<>();
        explained
                .path("steps")
                .forEach(step -> steps.add(step.path("what").asText() + " -> "
                        + step.path("effect").asText()));
        assertThat(steps)
                .containsExactly(
                        "defined: checked every 30s, unhealthy after 1, healthy after 1, grace 30s -> ",
                        "container started -> ",
                        "passed -> healthy",
                        "container stopped: exited 3 -> ");
        JsonNode tried = client.get(ALL + "/" + id + "/explain?since=7d&failures=3&successes=2&grace=0")
                .body();
        assertThat(tried.path("would_have_been").asInt()).isZero();
        assertThat(tried.path("steps").get(2).path("effect").asText()).isEqualTo("1 of 2 to be healthy");
    }

    @Test
    void the_four_parts_of_a_window_add_up_to_it() {
        String id = died();
        JsonNode sum = client.get(ALL + "/" + id + "/uptime?window=1h").body();
        BigDecimal parts = BigDecimal.ZERO;
        for (String part : List.of("up", "down", "could_not_tell", "off")) {
            parts = parts.add(sum.path(part).decimalValue());
        }
        assertThat(parts)
                .isEqualByComparingTo("3600")
                .isEqualByComparingTo(sum.path("window").decimalValue());
        assertThat(sum.path("off").asDouble()).isBetween(3_500.0, 3_600.0);
        assertThat(sum.path("up").asDouble()).isPositive();
        assertThat(client.get(ALL + "/" + id + "/uptime").body().path("window").asDouble())
                .isEqualTo(86_400.0);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "events?limit=0 | limit is '0'; 1 to 1000 is accepted",
                "events?limit=1001 | limit is '1001'; 1 to 1000 is accepted",
                "events?after=-1 | after is '-1'; a whole number from 0 on is accepted",
                "events?after=E.7 | after is 'E.7'; a whole number from 0 on is accepted",
                "events?kind=resluts | kind is 'resluts'; result, transition, container, definition, setup, clock, monitor are accepted",
                "explain?failures=0 | failures is '0'; 1 to 1000 is accepted",
                "explain?grace=2d | grace is '2d'; a duration from 0s to",
                "uptime?window=0 | window is '0'; a duration from 1s to",
                "uptime?window=soon | window is 'soon'; a duration from 1s to",
                "uptime?window=400d | window is '400d'; a duration from 1s to",
            })
    void a_question_that_cannot_be_answered_says_why(String path, String why) {
        Answer answer = client.get(ALL + "/" + create("gateway", "") + "/" + path);
        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.body().path("errors").get(0).path("detail").asText()).startsWith(why);
    }

    @Test
    void nobody_has_a_past_who_does_not_exist() {
        assertThat(client.get(ALL + "/nobody/events").status()).isEqualTo(404);
        assertThat(client.get(ALL + "/nobody/uptime").status()).isEqualTo(404);
    }
}
