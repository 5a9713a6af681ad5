package org.klangk.health.server.cli;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.klangk.health.server.auth.Authenticator;
import org.klangk.health.server.auth.TokenFile;
import org.klangk.health.server.config.ConfigReader;
import org.klangk.health.server.config.RuntimeKind;
import org.klangk.health.server.config.ServerConfig;
import org.klangk.health.server.http.HealthServer;
import org.klangk.health.service.HealthService;
import org.klangk.health.transport.journal.SqliteJournal;
import org.klangk.health.transport.podman.PodmanRuntime;
import org.klangk.health.workspace.Workspace;

/**
 * Does once what every server and command does at its start, against nothing: for the virtual machine to keep the classes that it
 * takes, so that it need not read them again. For the build.
 */
final class Rehearsal {
    private static final Duration LONG = Duration.ofSeconds(30);

    private Rehearsal() {}

    /** Takes half a minute at most. */
    public static void main(String[] arguments) throws IOException {
        PrintStream out = System.out;
        PrintStream silence = new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8);
        System.setOut(silence);
        System.setErr(silence);
        Path directory = Files.createTempDirectory("klangk-rehearsal");
        try {
            rehearse(directory);
        } finally {
            try (Stream<Path> files = Files.walk(directory)) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.deleteIfExists(file);
                }
            }
        }
        System.setOut(out);
        System.exit(0);
    }

    private static void rehearse(Path directory) {
        ServerConfig config = ConfigReader.read(
                        Map.of("KLANGK_DATA_DIR", directory.resolve("data").toString(), "KLANGK_LISTEN", "127.0.0.1:0"),
                        null)
                .with(RuntimeKind.PODMAN);
        TokenFile.prepare(config.dataDir());
        String token = TokenFile.create(config.dataDir());
        HealthService health = HealthService.builder()
                .runtime(PodmanRuntime.connect(directory.resolve("no.sock")))
                .journal(SqliteJournal.in(config.dataDir(), config.retention()))
                .build();
        health.start().block(LONG);
        health.define(Workspace.named("rehearsal").container("none").healthCheck("true"))
                .block(LONG);
        HealthServer server = Objects.requireNonNull(
                HealthServer.start(config, health, Authenticator.local(token)).block(LONG));
        InetSocketAddress address = server.address();
        String url = "http://" + InetAddress.getLoopbackAddress().getHostAddress() + ":" + address.getPort();
        CompletableFuture<Void> monitor =
                CompletableFuture.runAsync(() -> client(url, token, "monitor", "--no-reconnect"));
        for (List<String> command : List.of(
                List.of("ls"),
                List.of("ls", "-o", "json"),
                List.of("status", "rehearsal"),
                List.of("events", "rehearsal"),
                List.of("edit", "rehearsal", "--interval", "10s"))) {
            client(url, token, command.toArray(String[]::new));
        }
        Launch.run(new Klangkc(), new String[] {"--help"});
        Launch.run(new Klangkc(), new String[] {"monitor", "--help"});
        Launch.run(new Klangkd(), new String[] {"serve", "--help"});
        server.stop().block(LONG);
        monitor.join();
    }

    private static void client(String url, String token, String... command) {
        String[] words = Stream.concat(Stream.of(command), Stream.of("--server", url, "--token", token))
                .toArray(String[]::new);
        Launch.run(new Klangkc(), words);
    }
}
