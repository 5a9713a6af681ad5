package org.klangk.health.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.klangk.health.transport.local.Processes;
import org.klangk.health.transport.podman.NeedsPodman;
import org.klangk.health.transport.podman.TestPodman;
import reactor.core.publisher.Flux;
import reactor.core.scheduler.Schedulers;

/** The demo as a newcomer runs it, as processes. */
@NeedsPodman
class DemoIT {
    private static final Duration LONG = Duration.ofSeconds(30);
    private static final int ENDED_BY_TERM = 143;

    @TempDir
    private Path data = Path.of("replaced");

    private final List<Program> programs = new ArrayList<>();
    private final Map<String, String> environment = new HashMap<>();

    @BeforeEach
    void settings() {
        environment.put("KLANGK_DATA_DIR", data.toString());
        environment.put("KLANGK_LISTEN", "127.0.0.1:0");
    }

    @AfterEach
    void end() {
        programs.forEach(Program::close);
    }

    private Program start(String launcher, String... arguments) {
        Program program = Program.start(environment, launcher, arguments);
        programs.add(program);
        return program;
    }

    private Program serve() {
        Program server = start("klangkd", "serve", "--demo");
        String listening = server.err(line -> line.contains("listening on "));
        environment.put("KLANGK_URL", listening.substring(listening.indexOf("http")));
        return server;
    }

    private static Instant at(String line) {
        return Instant.parse(line.substring(0, line.indexOf(' ')));
    }

    private static void threeKindsOfFrames(Program server) {
        Instant first = at(server.out(line -> line.contains("  healthy ")));
        Instant dead = at(server.out(line -> line.contains("  stopped   mortal: exited 3")));
        assertThat(Duration.between(first, dead)).isLessThan(Duration.ofSeconds(10));
        server.out(line -> line.contains("  unhealthy flaky: exited 1: too many open files"));
    }

    @Test
    void without_podman_services_are_local_processes_and_end_with_the_server() throws IOException {
        Path socket = data.resolve("podman").resolve("podman.sock");
        Files.createDirectories(socket.getParent());
        Files.createFile(socket);
        environment.put("XDG_RUNTIME_DIR", data.toString());
        Program server = start("klangkd", "serve", "--demo");
        assertThat(server.err(line -> line.contains("no Podman answers at "))).contains(socket.toString());
        String listening = server.err(line -> line.contains("listening on "));
        environment.put("KLANGK_URL", listening.substring(listening.indexOf("http")));
        assertThat(server.out(line -> line.contains("klangkc ls -w"))).contains("--server http://127.0.0.1:");
        threeKindsOfFrames(server);

        Program list = start("klangkc", "ls", "-w", "-o", "name");
        assertThat(Stream.generate(() -> list.out(line -> true)).limit(3).toList())
                .containsExactlyInAnyOrder("flaky", "mortal", "steady");
        list.out(line -> line.equals("flaky"));
        environment.put("KLANGK_JAVA_OPTS", "-Dklangk.tty=1");
        Program table = start("klangkc", "ls", "-w");
        table.out(line -> line.contains("NAME") && line.contains("STATE"));
        table.out(line -> line.startsWith("steady  healthy"));
        environment.remove("KLANGK_JAVA_OPTS");
        Program refused = start("klangkc", "create", "elsewhere", "--container", "gw");
        assertThat(refused.exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(refused.errors()).contains("container is 'gw'", "service_command is accepted");

        assertThat(processes()).isNotEmpty();
        server.terminate();
        assertThat(server.exitCode()).isEqualTo(ENDED_BY_TERM);
        assertThat(processes()).isEmpty();
        assertThat(list.err(line -> line.contains("trying again")))
                .as("it stays")
                .contains("1012");
    }

    @Test
    void local_services_end_with_a_server_that_is_killed() {
        environment.put("KLANGK_RUNTIME", "local");
        Program server = serve();
        server.out(line -> line.contains("  healthy   steady"));
        assertThat(processes()).isNotEmpty();
        server.close();
        assertThat(Objects.requireNonNull(Flux.interval(Duration.ofMillis(50), Schedulers.boundedElastic())
                        .onBackpressureDrop()
                        .map(tick -> processes())
                        .filter(List::isEmpty)
                        .blockFirst(LONG)))
                .isEmpty();
    }

    @Test
    void with_podman_services_are_containers_of_an_image_made_here() {
        TestPodman podman = TestPodman.get();
        environment.put("KLANGK_PODMAN_SOCKET", podman.socket().toString());
        Program server = serve();
        threeKindsOfFrames(server);
        assertThat(podman.cli("ps", "-a", "--format", "{{.Names}}").lines())
                .contains("klangk-demo-steady", "klangk-demo-flaky", "klangk-demo-mortal");
        server.terminate();
        assertThat(server.exitCode()).isEqualTo(ENDED_BY_TERM);
        assertThat(podman.cli("ps", "-a", "--format", "{{.Names}}")).doesNotContain("klangk-demo");
    }

    private List<String> processes() {
        return Processes.with("HOME=" + data.resolve("local") + "/");
    }
}
