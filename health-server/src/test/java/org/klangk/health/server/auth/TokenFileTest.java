package org.klangk.health.server.auth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.klangk.health.server.config.ConfigException;

class TokenFileTest {
    @TempDir
    private Path folder = Path.of("replaced");

    private static String mode(Path path) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    }

    @Test
    void directory_and_token_are_private_and_the_token_stays_the_same() throws IOException {
        Path data = folder.resolve("a/b");
        TokenFile.prepare(data);
        String token = TokenFile.create(data);
        assertThat(mode(data)).isEqualTo("rwx------");
        assertThat(mode(data.resolve("token"))).isEqualTo("rw-------");
        assertThat(token).matches("[0-9a-f]{64}");
        assertThat(TokenFile.create(data)).isEqualTo(token);
        assertThat(TokenFile.read(data)).isEqualTo(token);
    }

    @Test
    void what_was_open_to_others_is_made_private_again() throws IOException {
        TokenFile.prepare(folder);
        TokenFile.create(folder);
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxrwxrwx"));
        Files.setPosixFilePermissions(folder.resolve("token"), PosixFilePermissions.fromString("rw-rw-rw-"));
        TokenFile.prepare(folder);
        TokenFile.create(folder);
        assertThat(mode(folder)).isEqualTo("rwx------");
        assertThat(mode(folder.resolve("token"))).isEqualTo("rw-------");
    }

    @Test
    void an_empty_token_is_never_one_and_no_token_is_no_error() throws IOException {
        assertThat(TokenFile.read(folder)).isEmpty();
        Files.createFile(folder.resolve("token"));
        assertThat(TokenFile.create(folder)).hasSize(64);
        Path file = Files.createFile(folder.resolve("file"));
        assertThatThrownBy(() -> TokenFile.prepare(file.resolve("data"))).isInstanceOf(ConfigException.class);
    }
}
