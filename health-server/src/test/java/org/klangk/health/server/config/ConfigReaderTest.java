package org.klangk.health.server.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ConfigReaderTest {
    @TempDir
    private Path folder = Path.of("replaced");

    private Path file(String yaml) throws IOException {
        return Files.writeString(folder.resolve("klangk.yaml"), yaml);
    }

    @Test
    void the_defaults_are_those_of_the_contract() {
        ServerConfig config = ConfigReader.read(Map.of("HOME", "/home/me"), null);
        assertThat(config.listen()).hasToString("localhost/127.0.0.1:8997");
        assertThat(config.defaults().policy().interval()).isEqualTo(Duration.ofSeconds(30));
        assertThat(config.defaults().policy().timeout()).isEqualTo(Duration.ofSeconds(10));
        assertThat(config.defaults().policy().startupGrace()).isEqualTo(Duration.ofSeconds(30));
        assertThat(config.defaults().policy().startInterval()).isEqualTo(Duration.ofSeconds(2));
        assertThat(config.auth()).isEqualTo(AuthMode.LOCAL);
        assertThat(config.dataDir()).isEqualTo(Path.of("/home/me/.local/state/klangk-health"));
        assertThat(config.podmanSocket()).isEqualTo(Path.of("/run/podman/podman.sock"));
    }

    @Test
    void the_environment_goes_before_the_file_and_the_file_before_the_default() throws IOException {
        Path yaml = file("listen: '127.0.0.1:1'\nhealth_check_interval: 45\nhosts: [a.test, b.test]\n");
        ServerConfig config =
                ConfigReader.read(Map.of("KLANGK_LISTEN", "[::1]:2", "KLANGKD_HEALTH_CHECK_TIMEOUT", "500ms"), yaml);
        assertThat(config.listen().getPort()).isEqualTo(2);
        assertThat(config.listen().getAddress().isLoopbackAddress()).isTrue();
        assertThat(config.defaults().policy().interval()).isEqualTo(Duration.ofSeconds(45));
        assertThat(config.defaults().policy().timeout()).isEqualTo(Duration.ofMillis(500));
        assertThat(config.hosts()).isEqualTo(Set.of("a.test", "b.test"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "KLANGK_HEALTH_CHECK_INTERVAL | soon | a duration from 1s to 86400s",
                "KLANGK_HEALTH_CHECK_INTERVAL | 0.5 | a duration from 1s to 86400s",
                "KLANGKD_HEALTH_CHECK_TIMEOUT | 1h | a duration from 1ms to 300s",
                "KLANGK_LISTEN | 8997 | address:port",
                "KLANGK_LISTEN | example.org:80 | address:port",
                "KLANGK_LISTEN | 127.0.0.1:99999 | address:port",
                "KLANGK_AUTH | maybe | local or password or none",
                "KLANGK_MAX_STREAMS_PER_USER | 0 | a whole number from 1 to 100000",
                "KLANGK_TLS_CERT | /nowhere/cert.pem | a readable PEM file",
                "KLANGK_RUNTIME | docker | podman",
                "KLANGK_HEALTH_PROBE | telepathy | session or exec",
                "KLANGK_HEALTH_MAX_CONCURRENT | 0 | a whole number from 1 to 1000",
                "KLANGK_HEALTH_MAX_CONCURRENT | two | a whole number from 1 to 1000",
            })
    void a_bad_value_is_named_with_what_is_accepted(String name, String value, String accepted) {
        assertThatThrownBy(() -> ConfigReader.read(Map.of(name, value), null))
                .isInstanceOf(ConfigException.class)
                .hasMessageStartingWith(name + "=" + value + ": " + accepted);
    }

    @ParameterizedTest
    @ValueSource(strings = {"frobnicate: 1", "listen: {a: b}", "- a", "listen: [", "listen: ~"})
    void a_file_that_cannot_be_used_stops_the_start(String yaml) throws IOException {
        Path path = file(yaml);
        assertThatThrownBy(() -> ConfigReader.read(Map.of(), path)).isInstanceOf(ConfigException.class);
    }

    @Test
    void a_missing_file_stops_the_start() {
        assertThatThrownBy(() -> ConfigReader.read(Map.of(), folder.resolve("none.yaml")))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("no such readable file");
    }

    @Test
    void without_authentication_only_loopback_is_listened_on() {
        assertThatThrownBy(
                        () -> ConfigReader.read(Map.of("KLANGK_AUTH", "none", "KLANGK_LISTEN", "0.0.0.0:8997"), null))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("KLANGK_AUTH=none");
        assertThat(ConfigReader.read(Map.of("KLANGK_AUTH", "none"), null).auth())
                .isEqualTo(AuthMode.NONE);
    }
}
