package org.klangk.health.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.klangk.health.server.cli.Program;
import org.klangk.health.server.http.TestClient.Answer;
import org.klangk.health.server.http.TestClient.Socket;

/**
 * The server, as a process, is killed at random points of a busy run: twenty workspaces whose checks pass or fail by chance and
 * write down which. {@code -Dkills=100} for more than a few.
 */
class ServerKilledIT {
    private static final int KILLS = Integer.getInteger("kills", 5);
    private static final int WORKSPACES = 20;
    /** From a check's own clock reading to the commit of its result. */
    private static final Duration SLACK = Duration.ofSeconds(3);

    @TempDir
    private Path temp = Path.of("replaced");

    private final Map<String, String> environment = new HashMap<>();
    private final Map<String, String> names = new TreeMap<>();
    private final Recording recording = new Recording();
    private final Random random = new Random(31);
    private @Nullable Program server;

    @BeforeEach
    void settings() throws IOException {
        environment.put("KLANGK_DATA_DIR", temp.resolve("data").toString());
        environment.put("KLANGK_LISTEN", "127.0.0.1:0");
        environment.put("KLANGK_RUNTIME", "local");
        Files.createDirectories(temp.resolve("results"));
    }

    @AfterEach
    void end() {
        if (server != null) {
            server.close();
        }
    }

    private TestClient start() throws IOException {
        Program started = Program.start(environment, "klangkd", "serve");
        server = started;
        String listening = started.err(line -> line.contains("listening on "));
        int port = Integer.parseInt(listening.substring(listening.lastIndexOf(':') + 1));
        return new TestClient(port, token());
    }

    private String token() throws IOException {
        return Files.readString(temp.resolve("data").resolve("token")).strip();
    }

    private Socket connect(TestClient to) throws IOException {
        String where = recording.position().isEmpty() ? "&view=full" : "&after=" + recording.position();
        return to.socket("?token=" + token() + where);
    }

    private void create(TestClient at, int i) {
        String check = "r=$((RANDOM % 2)); echo $EPOCHREALTIME $r >> " + temp.resolve("results") + "/$0; exit $r";
        Answer made = at.post(
                ServerFixture.ALL,
                "{\"name\":\"n" + i + "\",\"interval\":\"1s\",\"startup_grace\":\"0\",\"health_check\":\""
                        + check.replace("$0", "n" + i) + "\"}");
        assertThat(made.status()).as(made.body().toString()).isEqualTo(201);
        names.put(made.body().path("id").asText(), "n" + i);
    }

    private void rename(TestClient at, String id, String name) {
        Answer edited = at.send("PATCH", ServerFixture.ALL + "/" + id, "{\"name\":\"" + name + "\"}");
        assertThat(edited.status()).as(edited.body().toString()).isEqualTo(200);
        names.put(id, name);
    }

    @Test
    void whatever_was_told_or_acknowledged_is_still_so_after_any_kill() throws IOException {
        TestClient first = start();
        for (int i = 0; i < WORKSPACES; i++) {
            create(first, i);
        }
        Map<String, String> checks = new TreeMap<>(names);
        for (int kill = 0; kill < KILLS; kill++) {
            TestClient now = kill == 0 ? first : start();
            Socket socket = connect(now);
            int frames = 1 + random.nextInt(15);
            for (int i = 0; i < frames; i++) {
                recording.add(socket.next());
            }
            String id = new ArrayList<>(names.keySet()).get(random.nextInt(WORKSPACES));
            rename(now, id, "m" + kill);
            killed();
            socket.awaitEnd();
            socket.received().forEach(recording::add);
        }
        TestClient last = start();
        Socket socket = connect(last);
        for (String id : names.keySet()) {
            Answer off = last.send("PATCH", ServerFixture.ALL + "/" + id, "{\"enabled\":false}");
            assertThat(off.status()).isEqualTo(200);
        }
        Map<String, String> off = new TreeMap<>();
        names.keySet().forEach(id -> off.put(id, "not_checked"));
        while (!recording.states().equals(off)) {
            recording.add(socket.next());
        }
        recording.validate();
        Map<String, String> served = new TreeMap<>();
        Map<String, String> kept = new TreeMap<>();
        last.get(ServerFixture.ALL).body().forEach(one -> {
            served.put(one.path("id").asText(), one.path("state").asText());
            kept.put(one.path("id").asText(), one.path("name").asText());
        });
        assertThat(served).as("one truth").isEqualTo(off);
        assertThat(kept).as("every acknowledged edit").isEqualTo(names);
        assertThat(verdictsThatHappened(checks)).isGreaterThan(KILLS);
    }

    private void killed() {
        if (server != null) {
            server.close();
        }
    }

    /** Every change of a verdict that was told is the result of a check that ran; gives back how many there were. */
    private int verdictsThatHappened(Map<String, String> checks) throws IOException {
        Map<String, List<String[]>> results = new HashMap<>();
        for (Map.Entry<String, String> check : checks.entrySet()) {
            results.put(
                    check.getKey(),
                    Files.readAllLines(temp.resolve("results").resolve(check.getValue())).stream()
                            .map(line -> line.split(" ", -1))
                            .toList());
        }
        int verdicts = 0;
        for (JsonNode frame : recording.changes()) {
            if (frame.path("type").asText().equals("service_health")
                    && frame.path("running").asBoolean()) {
                verdicts++;
                String expected = frame.path("healthy").asBoolean() ? "0" : "1";
                Instant at = Instant.parse(frame.path("health_checked_at").asText());
                assertThat(results.get(frame.path("workspace_id").asText()))
                        .as("a check that gave %s before %s: %s", expected, at, frame)
                        .anySatisfy(result -> {
                            assertThat(result[1]).isEqualTo(expected);
                            Instant ran = Instant.ofEpochMilli(new BigDecimal(result[0].replace(',', '.'))
                                    .movePointRight(3)
                                    .longValue());
                            assertThat(ran).isBetween(at.minus(SLACK), at);
                        });
            }
        }
        return verdicts;
    }
}
