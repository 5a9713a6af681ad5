package org.klangk.health.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.klangk.health.server.cli.Program;
import org.klangk.health.server.http.TestClient.Answer;
import org.klangk.health.server.http.TestClient.Socket;
import reactor.core.publisher.Flux;
import reactor.core.scheduler.Schedulers;

/** A server whose data directory is on a file system of 8 MB, which somebody else fills. Mounting it takes root. */
class FullDiskIT {
    private static final Duration LONG = Duration.ofSeconds(60);

    @TempDir
    private Path temp = Path.of("replaced");

    private final Map<String, String> environment = new HashMap<>();
    private @Nullable Program server;
    private Path disk = Path.of("replaced");

    @BeforeEach
    void mount() throws IOException {
        disk = Files.createDirectory(temp.resolve("disk"));
        run("mount", "-t", "tmpfs", "-o", "size=8m", "tmpfs", disk.toString());
        environment.put("KLANGK_DATA_DIR", disk.resolve("data").toString());
        environment.put("KLANGK_LISTEN", "127.0.0.1:0");
        environment.put("KLANGK_RUNTIME", "local");
    }

    @AfterEach
    void unmount() {
        kill();
        run("umount", "-l", disk.toString());
    }

    private void kill() {
        if (server != null) {
            server.close();
        }
    }

    private static void run(String... command) {
        try {
            Process process = new ProcessBuilder(command).inheritIO().start();
            assertThat(process.waitFor(20, TimeUnit.SECONDS)).isTrue();
            assertThat(process.exitValue()).as(String.join(" ", command)).isZero();
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private TestClient start() throws IOException {
        Program started = Program.start(environment, "klangkd", "serve");
        server = started;
        String listening = started.err(line -> line.contains("listening on "));
        return new TestClient(Integer.parseInt(listening.substring(listening.lastIndexOf(':') + 1)), token());
    }

    private String token() throws IOException {
        return Files.readString(disk.resolve("data").resolve("token")).strip();
    }

    /** Until nothing more fits. */
    private Path fill() throws IOException {
        Path filler = disk.resolve("filler");
        try (OutputStream out = Files.newOutputStream(filler)) {
            while (true) {
                out.write(new byte[4_096]);
            }
        } catch (IOException full) {
            return filler;
        }
    }

    private static void awaitReady(TestClient client, int status) {
        assertThat(Objects.requireNonNull(Flux.interval(Duration.ofMillis(100), Schedulers.boundedElastic())
                                .onBackpressureDrop()
                                .map(tick -> client.get("/readyz"))
                                .filter(answer -> answer.status() == status)
                                .blockFirst(LONG))
                        .body()
                        .toString()
                        .contains("journal"))
                .isEqualTo(status != 200);
    }

    private static JsonNode verdict(Socket socket, boolean healthy) {
        JsonNode frame = socket.next("service_health");
        while (frame.path("healthy").asBoolean() != healthy) {
            frame = socket.next("service_health");
        }
        return frame;
    }

    @Test
    void a_full_disk_is_told_and_nothing_else_stops_and_it_ends_by_itself() throws IOException {
        TestClient client = start();
        Path good = Files.createFile(temp.resolve("good"));
        Answer made = client.post(
                ServerFixture.ALL,
                "{\"name\":\"a\",\"interval\":\"1s\",\"startup_grace\":\"0\",\"health_check\":\"test -e " + good
                        + "\"}");
        String id = made.body().path("id").asText();
        Socket socket = client.socket("?view=full&token=" + token());
        long before = verdict(socket, true).path("seq").asLong();
        String epoch = client.get(ServerFixture.ALL + "/" + id + "/status")
                .body()
                .path("epoch")
                .asText();

        Path filler = fill();
        JsonNode down = socket.next("monitor_health");
        assertThat(down.path("component").asText()).isEqualTo("journal");
        assertThat(down.path("healthy").asBoolean()).isFalse();
        assertThat(down.path("message").asText()).contains("full");
        awaitReady(client, 503);
        assertThat(client.get("/livez").status()).isEqualTo(200);
        Files.delete(good);
        Instant broken = Instant.now();
        assertThat(verdict(socket, false).path("seq").asLong()).isEqualTo(before + 1);
        assertThat(Duration.between(broken, Instant.now())).isLessThan(Duration.ofSeconds(3));
        Files.createFile(good);
        assertThat(verdict(socket, true).path("seq").asLong()).isEqualTo(before + 2);

        Files.delete(filler);
        awaitReady(client, 200);
        JsonNode status = client.get(ServerFixture.ALL + "/" + id + "/status").body();
        assertThat(status.path("epoch").asText()).isNotEqualTo(epoch);
        assertThat(status.path("seq").asLong()).isEqualTo(before + 2);
        kill();
        TestClient again = start();
        JsonNode kept = again.get(ServerFixture.ALL + "/" + id + "/status").body();
        assertThat(kept.path("seq").asLong()).isEqualTo(before + 2);
        assertThat(kept.path("epoch").asText()).isEqualTo(status.path("epoch").asText());
        JsonNode past = again.get(ServerFixture.ALL + "/" + id + "/events?kind=transition")
                .body();
        assertThat(past.path("items").findValuesAsText("to"))
                .containsExactly("stopped", "unknown", "healthy", "unhealthy", "healthy");
    }
}
