package org.klangk.health.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A client as somebody writes it who knows nothing but what clients are promised, against a server as a process. */
class ContractIT extends CommandFixture {
    private static final Set<String> KLANGK =
            Set.of("service_health", "container_status", "workspaces_changed", "service_health_heartbeat", "error");
    private static final List<String> FIRST_SEVEN =
            List.of("type", "workspace_id", "healthy", "health_message", "running", "health_checked_at", "seq");

    private final HttpClient http = HttpClient.newHttpClient();
    private Path broken = Path.of("replaced");

    /** A WebSocket and nothing around it. */
    private static final class Stream implements WebSocket.Listener {
        private final BlockingQueue<JsonNode> frames = new LinkedBlockingQueue<>();
        private final CompletableFuture<Integer> closed = new CompletableFuture<>();
        private final StringBuilder text = new StringBuilder();

        @Override
        public CompletionStage<?> onText(WebSocket socket, CharSequence data, boolean last) {
            text.append(data);
            if (last) {
                frames.add(json(text.toString()));
                text.setLength(0);
            }
            socket.request(1);
            return CompletableFuture.completedStage(null);
        }

        @Override
        public CompletionStage<?> onClose(WebSocket socket, int code, String reason) {
            closed.complete(code);
            return CompletableFuture.completedStage(null);
        }

        JsonNode next(String type) throws InterruptedException {
            while (true) {
                JsonNode frame = Objects.requireNonNull(frames.poll(40, TimeUnit.SECONDS), "no " + type + " came");
                if (frame.path("type").asText().equals(type)) {
                    return frame;
                }
            }
        }

        int closeCode() {
            return closed.orTimeout(40, TimeUnit.SECONDS).join();
        }
    }

    @BeforeEach
    void serveUsers() {
        environment.put("KLANGK_AUTH", "password");
        assertThat(klangkd(PASSWORD, "user", "add", "root", "--admin").code()).isZero();
        broken = directory().resolve("broken");
    }

    private String url() {
        return Objects.requireNonNull(environment.get("KLANGK_URL"));
    }

    private JsonNode post(String path, String token, String document) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(url() + "/api/v1" + path))
                .header("Content-Type", "application/json")
                .header("Authorization", "Bearer " + token)
                .POST(HttpRequest.BodyPublishers.ofString(document))
                .build();
        HttpResponse<String> response = http.send(request, HttpResponse.BodyHandlers.ofString());
        assertThat(response.statusCode()).as(response.body()).isBetween(200, 299);
        return json(response.body().isEmpty() ? "{}" : response.body());
    }

    private JsonNode login() throws IOException, InterruptedException {
        return post("/auth/login", "", "{\"identifier\":\"root\",\"password\":\"" + PASSWORD + "\"}");
    }

    private WebSocket open(Stream stream, String query) {
        return http.newWebSocketBuilder()
                .buildAsync(URI.create(url().replaceFirst("^http", "ws") + "/ws?" + query), stream)
                .join();
    }

    private void define(String token) throws IOException, InterruptedException {
        post("/workspaces", token, """
                {"name":"gateway","interval":1,"startup_grace":0,
                 "health_check":"test ! -e '%s' || { echo broken >&2; exit 7; }"}
                """.formatted(broken).replace("\n", ""));
    }

    @Test
    void a_client_logs_in_watches_and_is_told_why_it_is_dismissed() throws IOException, InterruptedException {
        Program server = serve();
        JsonNode login = login();
        assertThat(login.path("token_type").asText()).isEqualToIgnoringCase("bearer");
        assertThat(login.path("expires_in").asInt()).isPositive();
        String token = login.path("access_token").asText();

        Stream stream = new Stream();
        WebSocket socket = open(stream, "token=" + token);
        define(token);
        assertThat(stream.next("workspaces_changed").path("workspace_id").isTextual())
                .isTrue();
        assertThat(stream.next("container_status").path("running").asBoolean()).isTrue();
        JsonNode healthy = stream.next("service_health");
        assertThat(names(healthy).subList(0, 7)).isEqualTo(FIRST_SEVEN);
        assertThat(healthy.path("healthy").asBoolean()).isTrue();
        assertThat(healthy.path("health_message").isNull()).isTrue();
        assertThat(healthy.path("seq").asInt()).isEqualTo(1);

        socket.sendText("{\"cmd\":\"subscribe_health_heartbeat\"}", true).join();
        socket.sendText("{\"cmd\":\"heartbeat\"}", true).join();
        socket.sendText("{\"cmd\":\"dance\"}", true).join();
        assertThat(stream.next("error").path("message").asText()).isNotEmpty();
        assertThat(names(stream.next("service_health_heartbeat")))
                .contains("timestamp", "epoch", "rev", "period_ms", "watched", "in_flight", "worst_lateness_ms");
        Files.createFile(broken);
        JsonNode unhealthy = stream.next("service_health");
        assertThat(unhealthy.path("kind").asText()).isEqualTo("change");
        assertThat(unhealthy.path("health_message").asText()).isEqualTo("exited 7: broken");
        assertThat(unhealthy.path("running").asBoolean()).isTrue();
        assertThat(unhealthy.path("seq").asInt()).isEqualTo(2);

        Stream second = new Stream();
        open(second, "token=" + token);
        JsonNode first = Objects.requireNonNull(second.frames.poll(40, TimeUnit.SECONDS));
        assertThat(first.path("kind").asText()).isEqualTo("snapshot");
        assertThat(first.path("seq").asInt()).isEqualTo(2);
        Stream resumed = new Stream();
        open(resumed, "token=" + token + "&after=" + place(healthy));
        assertThat(place(resumed.next("service_health"))).isEqualTo(place(unhealthy));

        Stream strange = new Stream();
        open(strange, "token=forged");
        assertThat(strange.closeCode()).isEqualTo(4001);
        Stream loud = new Stream();
        open(loud, "token=" + token).sendText("x".repeat(17 * 1024), true).join();
        assertThat(loud.closeCode()).isEqualTo(1009);
        post("/auth/logout", token, "{}");
        assertThat(stream.closeCode()).isEqualTo(4001);
        assertThat(stream.frames)
                .extracting(frame -> frame.path("type").asText())
                .isSubsetOf(KLANGK);
        Stream last = new Stream();
        open(last, "token=" + login().path("access_token").asText());
        server.terminate();
        assertThat(last.closeCode()).isEqualTo(1012);
    }

    private static String place(JsonNode frame) {
        return frame.path("epoch").asText() + "." + frame.path("rev").asLong();
    }

    private static List<String> names(JsonNode frame) {
        List<String> names = new ArrayList<>();
        frame.fieldNames().forEachRemaining(names::add);
        return names;
    }

    @Test
    void a_command_gets_the_frame_on_its_input_and_in_its_environment() throws IOException, InterruptedException {
        serve();
        assertThat(run(start("klangkc", "login", "root").say(PASSWORD)).code()).isZero();
        Files.createFile(broken);
        define(login().path("access_token").asText());
        assertThat(klangkc("wait", "gateway", "--for", "unhealthy").code()).isZero();
        Program monitor =
                start("klangkc", "monitor", "--type", "service_health", "--", "sh", "-c", "cat; echo; env; echo end");
        JsonNode frame = json(monitor.out(line -> line.startsWith("{")));
        Map<String, String> told = new TreeMap<>();
        for (String line = monitor.out(any -> true); !line.equals("end"); line = monitor.out(any -> true)) {
            int equals = line.indexOf('=');
            told.put(line.substring(0, Math.max(0, equals)), line.substring(equals + 1));
        }
        assertThat(names(frame).subList(0, 7)).isEqualTo(FIRST_SEVEN);
        assertThat(told)
                .containsEntry("KLANGK_EVENT", frame.toString())
                .containsEntry("KLANGK_EVENT_TYPE", "service_health")
                .containsEntry("KLANGK_EVENT_ID", place(frame))
                .containsEntry("KLANGK_WORKSPACE_ID", frame.path("workspace_id").asText())
                .containsEntry("KLANGK_WORKSPACE_NAME", "gateway")
                .containsEntry("KLANGK_HEALTHY", "false")
                .containsEntry("KLANGK_RUNNING", "true")
                .containsEntry("KLANGK_HEALTH_MESSAGE", "exited 7: broken")
                .containsEntry(
                        "KLANGK_HEALTH_CHECKED_AT",
                        frame.path("health_checked_at").asText())
                .containsEntry("KLANGK_HEALTH_SEQ", frame.path("seq").asText())
                .containsEntry("KLANGK_HEALTH_STATE", "unhealthy");
        assertThat(told.values()).noneMatch(value -> value.contains(PASSWORD));
    }
}
