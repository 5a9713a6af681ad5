package org.klangk.health.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.klangk.health.transport.local.Processes;
import org.klangk.health.transport.podman.NeedsPodman;
import org.klangk.health.transport.podman.TestPodman;
import reactor.core.publisher.Flux;
import reactor.core.scheduler.Schedulers;

/** Server and client as processes, a real container between them. */
@NeedsPodman
class EndToEndIT {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final TestPodman podman = TestPodman.get();

    @TempDir
    private Path data = Path.of("replaced");

    private final List<Program> programs = new ArrayList<>();
    private final Map<String, String> environment = new HashMap<>();

    @BeforeEach
    void serve() {
        environment.put("KLANGK_DATA_DIR", data.toString());
        environment.put("KLANGK_PODMAN_SOCKET", podman.socket().toString());
        environment.put("KLANGK_LISTEN", "127.0.0.1:0");
        startServer();
    }

    private Program startServer() {
        Program server = start("klangkd", "serve");
        String listening = server.err(line -> line.contains("listening on "));
        environment.put("KLANGK_URL", listening.substring(listening.indexOf("http")));
        return server;
    }

    @AfterEach
    void end() {
        programs.forEach(Program::close);
        podman.remove("gw");
    }

    private Program start(String launcher, String... arguments) {
        Program program = Program.start(environment, launcher, arguments);
        programs.add(program);
        return program;
    }

    private record Ran(int code, String out, String err) {}

    private Ran klangkc(String... arguments) {
        Program program = start("klangkc", arguments);
        int code = program.exitCode();
        return new Ran(code, program.output(), program.errors());
    }

    private static JsonNode json(String line) {
        try {
            return JSON.readTree(line);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(line, e);
        }
    }

    private static JsonNode verdict(Program monitor) {
        return json(monitor.out(line -> line.contains("\"type\":\"service_health\"")));
    }

    private static JsonNode state(Program monitor, String state) {
        return json(monitor.out(
                line -> line.contains("\"type\":\"workspace_state\"") && line.contains("\"" + state + "\"")));
    }

    @Test
    void a_service_breaks_dies_and_comes_back_and_each_is_told_once() {
        Program monitor = start("klangkc", "monitor", "--view", "full");
        monitor.out(line -> line.contains("snapshot_end"));
        podman.container("gw");
        Ran created = klangkc(
                "create",
                "gateway",
                "--container",
                "gw",
                "--interval",
                "1s",
                "--grace",
                "0",
                "--health-check",
                "test ! -f /tmp/bad || { echo the file is bad >&2; exit 3; }");
        assertThat(created.code()).as(created.err()).isZero();
        JsonNode started = state(monitor, "unknown");
        JsonNode healthy = verdict(monitor);
        assertThat(healthy.path("healthy").asBoolean()).isTrue();
        assertThat(healthy.path("seq").asInt()).isEqualTo(1);
        assertThat(between(started, healthy)).isLessThan(Duration.ofSeconds(2));

        Instant broken = Instant.now();
        podman.inside("gw", "touch /tmp/bad");
        JsonNode unhealthy = verdict(monitor);
        assertThat(unhealthy.path("healthy").asBoolean()).isFalse();
        assertThat(unhealthy.path("health_message").asText()).isEqualTo("exited 3: the file is bad");
        assertThat(unhealthy.path("exit_code").asInt()).isEqualTo(3);
        assertThat(unhealthy.path("seq").asInt()).isEqualTo(2);
        assertThat(Duration.between(broken, time(unhealthy))).isLessThan(Duration.ofSeconds(3));
        assertThat(klangkc("status", "gateway").code()).isEqualTo(ExitCode.UNHEALTHY);
        assertThat(klangkc("check", "gateway").code()).isEqualTo(ExitCode.UNHEALTHY);

        klangkc("edit", "gateway", "--grace", "60s", "--start-interval", "500ms");
        podman.cli("kill", "gw");
        JsonNode dead = verdict(monitor);
        assertThat(dead.path("running").asBoolean()).isFalse();
        assertThat(dead.path("health_message").asText()).isEqualTo("killed by SIGKILL");
        assertThat(dead.path("seq").asInt()).isEqualTo(3);
        assertThat(klangkc("status", "gateway").code()).isEqualTo(ExitCode.NOTHING_TO_JUDGE);

        podman.cli("start", "gw");
        state(monitor, "starting");
        podman.inside("gw", "rm /tmp/bad");
        JsonNode again = verdict(monitor);
        assertThat(again.path("healthy").asBoolean()).isTrue();
        assertThat(again.path("seq").asInt()).isEqualTo(4);
        assertThat(again.path("incarnation").asInt()).isEqualTo(2);
        assertThat(klangkc("status", "gateway").code()).isEqualTo(ExitCode.OK);

        podman.cli("pause", "gw");
        JsonNode paused = state(monitor, "not_checked");
        assertThat(paused.path("reason").asText()).isEqualTo("paused");
        podman.cli("unpause", "gw");
        // A forced removal kills first. The server is held up meanwhile, so that it never sees the dead container.
        programs.get(0).signal("STOP");
        podman.remove("gw");
        programs.get(0).signal("CONT");
        JsonNode removed = verdict(monitor);
        assertThat(removed.path("health_message").asText()).isEqualTo("removed");
        assertThat(removed.path("seq").asInt()).isEqualTo(5);
        podman.container("gw");
        JsonNode next = verdict(monitor);
        assertThat(next.path("incarnation").asInt()).isEqualTo(3);
        assertThat(next.path("seq").asInt()).isEqualTo(6);

        programs.get(0).terminate();
        assertThat(monitor.err(line -> line.contains("trying again"))).contains("1012 server restarting");
    }

    private static Instant time(JsonNode frame) {
        return Instant.parse(frame.path("since").asText());
    }

    private static Duration between(JsonNode first, JsonNode second) {
        return Duration.between(time(first), time(second));
    }

    @Test
    void a_command_runs_for_each_change_with_the_frame_in_its_environment() throws IOException {
        podman.container("gw");
        klangkc(
                "create",
                "gateway",
                "--container",
                "gw",
                "--interval",
                "1s",
                "--grace",
                "0",
                "--health-check",
                "exit 4");
        Path seen = data.resolve("seen");
        Files.createFile(seen);
        String script = "read -r frame; test \"$frame\" = \"$KLANGK_EVENT\" || exit; line="
                + "\"$KLANGK_EVENT_TYPE/$KLANGK_WORKSPACE_NAME/$KLANGK_HEALTHY/$KLANGK_RUNNING/$KLANGK_HEALTH_MESSAGE"
                + "/$KLANGK_HEALTH_SEQ/$KLANGK_HEALTH_STATE\"; echo \"$line\" >> " + seen + "; echo \"$line\"";
        Program monitor = start("klangkc", "monitor", "--type", "service_health", "--", "sh", "-c", script);
        assertThat(monitor.out(line -> true)).isEqualTo("service_health/gateway/false/true/exited 4/1/unhealthy");
        podman.cli("kill", "gw");
        assertThat(monitor.out(line -> true))
                .isEqualTo("service_health/gateway/false/false/killed by SIGKILL/2/stopped");
        assertThat(Files.readAllLines(seen)).hasSize(2);
    }

    @Test
    void commands_answer_in_json_when_piped_as_tables_on_a_terminal_and_by_their_exit_codes() throws IOException {
        podman.container("gw");
        Ran created = klangkc("create", "gateway", "--container", "gw", "--health-check", "true");
        JsonNode made = json(created.out());
        assertThat(made.path("name").asText()).isEqualTo("gateway");
        Program monitor = start("klangkc", "monitor");
        assertThat(verdict(monitor).path("healthy").asBoolean()).isTrue();
        assertThat(json(klangkc("ls").out()).path("id")).isEqualTo(made.path("id"));
        assertThat(klangkc("ls", "-o", "name").out()).isEqualTo("gateway");
        environment.put("KLANGK_JAVA_OPTS", "-Dklangk.tty=1");
        assertThat(klangkc("ls").out().lines().toList())
                .hasSize(2)
                .anySatisfy(line -> assertThat(line).startsWith("NAME     STATE"))
                .anySatisfy(line -> assertThat(line).startsWith("gateway  healthy"));
        assertThat(klangkc("status", "gateway").out())
                .contains("gateway  healthy", "last check", "streak", "container");
        environment.remove("KLANGK_JAVA_OPTS");
        assertThat(klangkc("status", made.path("id").asText()).code()).isZero();
        assertThat(json(klangkc("check", "gateway").out()).path("outcome").asText())
                .isEqualTo("passed");
        Ran edited = klangkc("edit", "gateway", "--health-check", "", "--name", "renamed");
        assertThat(json(edited.out()).path("health_check").isNull()).isTrue();
        assertThat(klangkc("status", "renamed").code()).isEqualTo(ExitCode.NOTHING_TO_JUDGE);
        assertThat(klangkc("rm", "renamed").code()).isZero();
        assertThat(klangkc("ls").out()).isEmpty();

        assertThat(klangkc("status", "nobody")).isEqualTo(new Ran(ExitCode.USAGE, "", "no workspace 'nobody'"));
        Ran bad = klangkc("create", "bad", "--interval", "0.1", "--timeout", "1h");
        assertThat(bad.code()).isEqualTo(ExitCode.USAGE);
        assertThat(bad.err()).contains("interval is 100ms").contains("timeout is 60m");
        assertThat(klangkc("edit", "bad").code()).isEqualTo(ExitCode.USAGE);
        assertThat(klangkc("frobnicate").code()).isEqualTo(ExitCode.USAGE);
        assertThat(klangkc("ls", "--token", "wrong").code()).isEqualTo(ExitCode.NOT_ALLOWED);
        assertThat(klangkc("monitor", "--token", "wrong").code()).isEqualTo(ExitCode.NOT_ALLOWED);
        assertThat(klangkc("ls", "--server", "http://127.0.0.1:1").code()).isEqualTo(ExitCode.UNREACHABLE);
        assertThat(klangkc("monitor", "--server", "http://127.0.0.1:1", "--no-reconnect")
                        .code())
                .isEqualTo(ExitCode.UNREACHABLE);
        Ran patient =
                klangkc("monitor", "--server", "http://127.0.0.1:1", "--max-reconnects", "2", "--max-delay", "100ms");
        assertThat(patient.code()).isEqualTo(ExitCode.UNREACHABLE);
        assertThat(patient.err().lines().filter(line -> line.contains("trying again")))
                .hasSize(2);
        assertThat(klangkc("--help").out()).contains("create", "edit", "rm", "ls", "status", "check", "monitor");
        assertThat(klangkc("create", "--help").out()).contains("--health-check", "Examples:");
        assertThat(start("klangkd", "serve", "--help").exitCode()).isZero();
    }

    @Test
    void a_server_that_is_killed_leaves_no_check_behind() throws IOException {
        podman.container("gw");
        for (int i = 0; i < 20; i++) {
            String check = "touch /tmp/on" + i + "; (setsid bash -c 'sleep 3601 & sleep 3601' &); sleep 3600";
            define(Map.of(
                    "name",
                    "w" + i,
                    "container",
                    "gw",
                    "timeout",
                    "5m",
                    "probe",
                    i % 2 == 0 ? "session" : "exec",
                    "health_check",
                    check));
        }
        podman.inside("gw", "while [ $(ls /tmp/on* | wc -l) -lt 20 ]; do sleep 0.05; done");
        assertThat(Processes.with("KLANGK_CHECK_ID="))
                .filteredOn(line -> line.startsWith("sleep 3600"))
                .hasSize(20);
        Instant killed = Instant.now();
        programs.get(0).close();
        assertThat(Flux.interval(Duration.ofMillis(10), Schedulers.boundedElastic())
                        .onBackpressureDrop()
                        .map(tick -> Processes.with("KLANGK_CHECK_ID="))
                        .filter(List::isEmpty)
                        .blockFirst(Duration.ofSeconds(40)))
                .isEmpty();
        assertThat(Duration.between(killed, Instant.now())).isLessThan(Duration.ofSeconds(2));
        assertThat(podman.processes("gw")).containsExactly("sleep infinity");
    }

    private void define(Map<String, Object> workspace) throws IOException {
        HttpURLConnection post = (HttpURLConnection) URI.create(environment.get("KLANGK_URL") + "/api/v1/workspaces")
                .toURL()
                .openConnection();
        post.setRequestProperty("Content-Type", "application/json");
        post.setRequestProperty(
                "Authorization",
                "Bearer " + Files.readString(data.resolve("token")).strip());
        post.setDoOutput(true);
        try (OutputStream body = post.getOutputStream()) {
            JSON.writeValue(body, workspace);
        }
        assertThat(post.getResponseCode()).isEqualTo(201);
    }

    @Test
    void a_server_that_was_killed_knows_what_it_knew_and_tells_what_died_meanwhile() {
        podman.container("gw");
        programs.forEach(Program::close);
        Program server = startServer();
        Ran created = klangkc(
                "create", "gateway", "--container", "gw", "--interval", "1s", "--health-check", "test ! -f /tmp/bad");
        assertThat(created.code()).as(created.err()).isZero();
        Program monitor = start("klangkc", "monitor", "--view", "full");
        assertThat(verdict(monitor).path("healthy").asBoolean()).isTrue();
        Ran second = klangkd("serve");
        assertThat(second.code()).isEqualTo(ExitCode.USAGE);
        assertThat(second.err()).contains("is in use by another klangkd");
        Path copy = data.resolve("copy.db");
        assertThat(klangkd("backup", copy.toString()).code()).isZero();
        server.close();

        podman.cli("kill", "gw");
        Instant killed = Instant.now();
        server = startServer();
        Program after = start("klangkc", "monitor", "--view", "full");
        after.out(line -> line.contains("\"stopped\""));
        JsonNode status = json(klangkc("status", "gateway").out());
        assertThat(status.path("health_message").asText()).isEqualTo("killed by SIGKILL");
        assertThat(status.path("seq").asInt()).isEqualTo(2);
        assertThat(Duration.between(Instant.parse(status.path("since").asText()), killed))
                .isBetween(Duration.ofSeconds(-1), Duration.ofSeconds(5));
        environment.put("KLANGK_JAVA_OPTS", "-Dklangk.tty=1");
        assertThat(klangkc("explain", "gateway", "--failures", "3").out())
                .contains("container started", "passed", "-> healthy", "container stopped: killed by SIGKILL")
                .endsWith("0 transitions would have been 0; nothing was changed");
        environment.remove("KLANGK_JAVA_OPTS");

        server.close();
        Ran restored = klangkd("restore", copy.toString());
        assertThat(restored.code()).as(restored.err()).isZero();
        startServer();
        Program again = start("klangkc", "monitor", "--view", "full");
        again.out(line -> line.contains("\"stopped\""));
        JsonNode back = json(klangkc("status", "gateway").out());
        assertThat(back.path("epoch").asText())
                .isNotEqualTo(status.path("epoch").asText());
    }

    private Ran klangkd(String... arguments) {
        Program program = start("klangkd", arguments);
        int code = program.exitCode();
        return new Ran(code, program.output(), program.errors());
    }

    @Test
    void a_server_that_cannot_start_says_why() {
        String address = environment.getOrDefault("KLANGK_URL", "").substring("http://".length());
        environment.put("KLANGK_LISTEN", address);
        environment.put("KLANGK_DATA_DIR", data.resolve("another").toString());
        Program second = start("klangkd", "serve");
        assertThat(second.exitCode()).isNotZero();
        assertThat(second.errors()).contains("KLANGK_LISTEN=" + address + " cannot be listened on");
        environment.put("KLANGK_LISTEN", "nowhere");
        Program third = start("klangkd", "serve");
        assertThat(third.exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(third.errors())
                .isEqualTo("KLANGK_LISTEN=nowhere: address:port, such as 127.0.0.1:8997 or [::1]:8997, is accepted");
    }
}
