package org.klangk.health.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.scheduler.Schedulers;

/** What becomes of a login when its tokens expire. Time is made to pass in the server's database, of which it takes notice. */
class LoginLifeIT extends CommandFixture {
    @BeforeEach
    void serveUsers() {
        environment.put("KLANGK_AUTH", "password");
        assertThat(klangkd(PASSWORD, "user", "add", "root", "--admin").code()).isZero();
        serve();
        assertThat(run(start("klangkc", "login", "root").say(PASSWORD)).code()).isZero();
    }

    private void expire(String kind) throws SQLException {
        try (var database =
                        DriverManager.getConnection("jdbc:sqlite:" + directory().resolve("data/accounts.db"));
                PreparedStatement update =
                        database.prepareStatement("UPDATE token SET expires_at = ? WHERE upper(kind) = ?")) {
            update.setLong(1, Instant.now().minusSeconds(1).toEpochMilli());
            update.setString(2, kind);
            assertThat(update.executeUpdate()).isPositive();
        }
    }

    private String credentials() {
        try {
            return Files.readString(directory().resolve("home/.config/klangk-health/credentials.json"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void commands_and_monitors_renew_their_tokens_until_the_login_itself_is_over() throws SQLException {
        Program monitor = start("klangkc", "monitor", "--view", "full", "--max-delay", "1s");
        monitor.out(line -> line.contains("\"snapshot_end\""));
        String first = credentials();
        expire("ACCESS");
        Flux.interval(Duration.ofMillis(50), Schedulers.boundedElastic())
                .onBackpressureDrop()
                .takeUntil(tick -> !credentials().equals(first))
                .blockLast(Duration.ofSeconds(40));
        assertThat(klangkc("create", "web", "--health-check", "true").code()).isZero();
        assertThat(json(monitor.out(line -> line.contains("\"workspaces_changed\"")))
                        .path("workspace_id")
                        .asText())
                .isNotEmpty();
        monitor.close();

        String second = credentials();
        expire("ACCESS");
        for (int i = 0; i < 60 && credentials().equals(second); i++) {
            Ran listed = klangkc("ls", "-o", "name");
            assertThat(listed.code()).as(listed.err()).isZero();
            assertThat(listed.out()).isEqualTo("web");
        }
        assertThat(credentials()).as("renewed").isNotEqualTo(second);

        expire("REFRESH");
        expire("ACCESS");
        Ran refused = klangkc("ls");
        for (int i = 0; i < 60 && refused.code() == ExitCode.OK; i++) {
            refused = klangkc("ls");
        }
        assertThat(refused.code()).isEqualTo(ExitCode.NOT_ALLOWED);
        assertThat(refused.err()).contains("klangkc login");
    }
}
