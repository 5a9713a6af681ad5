package org.klangk.health.server.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.URI;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What logins gave, by server, in a private file of the user's. Refresh tokens are good once, so whoever uses one has the file to
 * itself meanwhile.
 */
final class Credentials {
    /**
     * One login.
     *
     * @param access the token for requests
     * @param refresh for the next ones
     */
    record Login(String access, String refresh) {
        static Login of(JsonNode answer) {
            return new Login(
                    answer.path("access_token").asText(),
                    answer.path("refresh_token").asText());
        }
    }

    private static final FileAttribute<?> DIRECTORY =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));
    private static final FileAttribute<?> FILE =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

    private final Path file;

    private Credentials(Path file) {
        this.file = file;
    }

    /** Those of the user of this process. */
    static Credentials ofUser(Map<String, String> environment) {
        String config = environment.getOrDefault("XDG_CONFIG_HOME", "");
        Path directory = config.isEmpty()
                ? Path.of(environment.getOrDefault("HOME", "/"), ".config", "klangk-health")
                : Path.of(config, "klangk-health");
        return new Credentials(directory.resolve("credentials.json"));
    }

    /** The login to {@code server}; null where there is none. */
    @Nullable
    Login find(URI server) {
        try {
            JsonNode login = read().path(key(server));
            return login.isObject() ? Login.of(login) : null;
        } catch (IOException e) {
            throw unusable(e);
        }
    }

    /**
     * Changes the login to {@code server} while nobody else does.
     *
     * @param change gets the present one, null where there is none, and gives the next, null for none
     * @return the next one
     */
    @Nullable
    Login change(URI server, Function<@Nullable Login, @Nullable Login> change) {
        try {
            Path directory = file.getParent();
            if (directory != null && !Files.exists(directory)) {
                Files.createDirectories(directory.toAbsolutePath().getParent());
                Files.createDirectory(directory, DIRECTORY);
            }
            Path guard = file.resolveSibling("credentials.lock");
            try (FileChannel channel =
                    FileChannel.open(guard, Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE), FILE)) {
                // Until the channel is closed.
                channel.lock();
                ObjectNode all = read();
                JsonNode present = all.path(key(server));
                Login next = change.apply(present.isObject() ? Login.of(present) : null);
                if (next == null) {
                    all.remove(key(server));
                } else {
                    all.putObject(key(server))
                            .put("access_token", next.access())
                            .put("refresh_token", next.refresh());
                }
                write(all);
                return next;
            }
        } catch (IOException e) {
            throw unusable(e);
        }
    }

    private ObjectNode read() throws IOException {
        if (!Files.exists(file)) {
            return Connection.JSON.createObjectNode();
        }
        JsonNode all = Connection.JSON.readTree(Files.readString(file));
        return all instanceof ObjectNode object ? object : Connection.JSON.createObjectNode();
    }

    private void write(ObjectNode all) throws IOException {
        Path next = file.resolveSibling("credentials.next");
        Files.deleteIfExists(next);
        Files.createFile(next, FILE);
        Files.writeString(next, all.toString());
        Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    private static String key(URI server) {
        return server.getScheme() + "://" + server.getAuthority();
    }

    private CliException unusable(IOException error) {
        return new CliException(ExitCode.NOT_ALLOWED, file + " cannot be used: " + error.getMessage());
    }
}
