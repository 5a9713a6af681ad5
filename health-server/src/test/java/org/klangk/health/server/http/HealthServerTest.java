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
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.klangk.health.event.StopCause;
import org.klangk.health.runtime.RefusedException;
import org.klangk.health.server.http.TestClient.Answer;
import org.klangk.health.server.http.TestClient.Socket;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;

/** REST as a client sees it, over real sockets. */
class HealthServerTest extends ServerFixture {
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
    void a_status_that_did_not_change_is_not_sent_again() {
        String id = healthy("gateway");
        String path = ALL + "/" + id + "/status";
        String tag = client.get(path).response().headers().firstValue("ETag").orElseThrow();
        Answer same = client.send("GET", path, null, "If-None-Match", "\"other\", " + tag);
        assertThat(same.status()).isEqualTo(304);
        assertThat(same.response().body()).isEmpty();
        assertThat(same.response().headers().firstValue("ETag")).contains(tag);
        Socket socket = client.socket("?token=" + TOKEN);
        socket.next("service_health");
        runtime.die("gw", StopCause.exited(1), Instant.parse("2026-11-30T10:00:01Z"));
        socket.next("service_health");
        Answer changed = client.send("GET", path, null, "If-None-Match", tag);
        assertThat(changed.status()).isEqualTo(200);
        assertThat(changed.body().path("running").asBoolean()).isFalse();
        assertThat(changed.response().headers().firstValue("ETag").orElseThrow())
                .isNotEqualTo(tag);
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
    void an_agent_brings_a_check_unless_there_is_one() {
        Answer bot = client.post(ALL, "{\"name\":\"bot\",\"agent\":\"openclaw\"}");
        assertThat(bot.body().path("agent").asText()).isEqualTo("openclaw");
        assertThat(bot.body().path("health_check").asText()).contains("/healthz");
        Answer own = client.post(ALL, "{\"name\":\"own\",\"agent\":\"openclaw\",\"health_check\":\"true\"}");
        assertThat(own.body().path("health_check").asText()).isEqualTo("true");
        String id = ALL + "/" + own.body().path("id").asText();
        Answer cleared = client.send("PATCH", id, "{\"health_check\":\"\",\"agent\":\"hermes\"}");
        assertThat(cleared.body().path("health_check").isNull()).isTrue();
        assertThat(cleared.body().path("agent").asText()).isEqualTo("hermes");
        assertThat(client.post(ALL, "{\"name\":\"x\",\"agent\":\"clippy\"}")
                        .body()
                        .path("detail")
                        .asText())
                .isEqualTo("agent is \"clippy\"; one of hermes, openclaw is accepted");
    }

    @Test
    void what_cannot_be_run_is_refused_with_its_reason_and_what_does_not_run_can_be_started() {
        runtime.launching(workspace -> Mono.error(new RefusedException("image 'none' cannot be had: no such image")));
        Answer refused = client.post(ALL, "{\"name\":\"bot\",\"image\":\"none\"}");
        assertThat(refused.status()).isEqualTo(409);
        assertThat(refused.body().path("type").asText()).isEqualTo("/problems/runtime-refused");
        assertThat(refused.body().path("detail").asText()).isEqualTo("image 'none' cannot be had: no such image");
        assertThat(client.get(ALL).body()).isEmpty();

        runtime.launching(workspace -> Mono.empty());
        Answer made = client.post(ALL, "{\"name\":\"bot\",\"image\":\"debian\"}");
        assertThat(made.body().path("container").asText()).isEqualTo("klangk-bot");
        assertThat(made.body().path("image").asText()).isEqualTo("debian");
        String start = ALL + "/" + made.body().path("id").asText() + "/start";
        runtime.launching(workspace -> Mono.fromRunnable(() -> runtime.start("klangk-bot", Instant.EPOCH)));
        Answer started = client.post(start, "{}");
        assertThat(started.status()).isEqualTo(200);
        assertThat(started.body().path("running").asBoolean()).isTrue();
        assertThat(client.post(start, "{\"now\":true}").status()).isEqualTo(400);
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
