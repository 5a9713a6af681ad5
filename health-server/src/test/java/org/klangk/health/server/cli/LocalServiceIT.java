package org.klangk.health.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** Services that the server starts, as a person sees them. */
class LocalServiceIT extends CommandFixture {
    @Test
    void a_service_that_starts_with_the_server_is_there_again_and_its_output_can_be_read() {
        environment.put("KLANGK_ALLOW_AUTOSTART", "true");
        Program first = serve();
        assertThat(klangkc(
                                "create",
                                "web",
                                "--auto-start",
                                "--grace",
                                "0",
                                "--health-check",
                                "true",
                                "--command",
                                "echo here I am; exec sleep 1000")
                        .code())
                .isZero();
        assertThat(klangkc("create", "other", "--grace", "0", "--health-check", "true", "--command", "sleep 1000")
                        .code())
                .isZero();
        assertThat(klangkc("wait", "web").code()).isZero();
        assertThat(klangkc("logs", "web").out()).isEqualTo("here I am");
        first.terminate();
        first.exitCode();
        serve();
        assertThat(klangkc("wait", "web").code()).isZero();
        assertThat(klangkc("logs", "web", "--bytes", "1000").out().lines()).containsExactly("here I am", "here I am");
        assertThat(klangkc("status", "other").code()).isEqualTo(ExitCode.NOTHING_TO_JUDGE);
        assertThat(klangkc("create", "bare", "--health-check", "true").code()).isZero();
        Ran none = klangkc("logs", "bare");
        assertThat(none.code()).isEqualTo(ExitCode.USAGE);
        assertThat(none.err()).contains("has no output of it");
        assertThat(klangkc("logs", "web", "--bytes", "lots").code()).isEqualTo(ExitCode.USAGE);
    }

    @Test
    void a_file_of_workspaces_is_read_at_the_start_when_it_changes_and_at_sighup() throws IOException {
        Path file = directory().resolve("workspaces.yaml");
        environment.put("KLANGK_WORKSPACES", file.toString());
        Files.writeString(file, "workspaces: {web: {health_check: often: x}}");
        Program refused = start("klangkd", "serve");
        assertThat(refused.exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(refused.errors()).contains("KLANGK_WORKSPACES: " + file + " is not YAML");
        Files.writeString(file, "workspaces: {web: {health_check: 'true', interval: 1s}}");
        Program server = serve();
        assertThat(klangkc("ls", "-o", "name").out()).isEqualTo("web");
        Ran edited = klangkc("edit", "web", "--interval", "9s");
        assertThat(edited.code()).isEqualTo(ExitCode.USAGE);
        assertThat(edited.err()).contains("it is defined in a file of the server's");
        server.signal("HUP");
        server.err(line -> line.contains(file + " was read again: 1 workspaces"));
        Files.writeString(file, "workspaces: {web: {interval: soon}}");
        server.err(line -> line.contains(file + " changes nothing: ") && line.contains("interval is \"soon\""));
        Files.writeString(file, "workspaces: {other: {}}");
        server.err(line -> line.contains("was read again"));
        assertThat(klangkc("ls", "-o", "name").out()).isEqualTo("other");
    }
}
