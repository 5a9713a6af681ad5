package org.klangk.health.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

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
}
