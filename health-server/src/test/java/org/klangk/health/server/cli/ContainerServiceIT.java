package org.klangk.health.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.klangk.health.transport.podman.NeedsPodman;
import org.klangk.health.transport.podman.TestPodman;

/** Containers that the server makes and the services in them, as a person sees them. */
@NeedsPodman
class ContainerServiceIT extends CommandFixture {
    private static final TestPodman podman = TestPodman.get();

    @BeforeEach
    void servePodman() {
        environment.put("KLANGK_RUNTIME", "podman");
        environment.put("KLANGK_PODMAN_SOCKET", podman.socket().toString());
        environment.put("KLANGK_ALLOW_AUTOSTART", "true");
    }

    @AfterEach
    void remove() {
        podman.remove("klangk-bot");
        podman.cli("volume", "rm", "-f", "klangk-bot-home");
    }

    private JsonNode definition() {
        return json(klangkc("ls").out());
    }

    @Test
    void a_sandbox_becomes_a_workspace_that_lives_dies_and_starts_again() throws IOException {
        Program server = serve();
        Path sandbox = directory().resolve(".klangk-sandbox.yaml");
        Files.writeString(sandbox, """
                workspace:
                  image: %s
                  service-command: 'echo here I am; touch ~/up; exec sleep 1000'
                  auto-start: true
                health-check: test -e ~/up
                editor: {theme: dark}
                """.formatted(TestPodman.IMAGE));
        Ran wrong = klangkc(
                "create", "bot", "--sandbox", directory().resolve("none").toString());
        assertThat(wrong.code()).isEqualTo(ExitCode.USAGE);
        assertThat(wrong.err()).contains("none: no such file");
        Ran made = klangkc("create", "bot", "--sandbox", sandbox.toString(), "--interval", "1s", "--user", "user");
        assertThat(made.code()).as(made.err()).isZero();
        assertThat(klangkc("wait", "bot").code()).isZero();
        JsonNode bot = definition();
        assertThat(bot.path("image").asText()).isEqualTo(TestPodman.IMAGE);
        assertThat(bot.path("container").asText()).isEqualTo("klangk-bot");
        assertThat(bot.path("auto_start").asBoolean()).isTrue();
        assertThat(klangkc("logs", "bot").out()).contains("klangk: started ").contains("here I am");

        podman.cli("kill", "klangk-bot");
        assertThat(klangkc("wait", "bot", "--for", "stopped").code()).isZero();
        Ran stopped = klangkc("status", "bot", "-o", "wide");
        assertThat(stopped.code()).isEqualTo(ExitCode.NOTHING_TO_JUDGE);
        assertThat(stopped.out())
                .startsWith("bot  stopped\n")
                .contains("\n  message       killed by SIGKILL\n", "  container stopped: killed by SIGKILL\n")
                .contains("\n| here I am\n");
        Ran started = klangkc("start", "bot");
        assertThat(started.code()).as(started.err()).isZero();
        assertThat(klangkc("wait", "bot").code()).isZero();

        server.terminate();
        server.exitCode();
        podman.cli("stop", "-t", "30", "klangk-bot");
        serve();
        assertThat(klangkc("wait", "bot").code()).as("started with the server").isZero();
        assertThat(klangkc("rm", "bot").code()).isZero();
        assertThat(podman.exitCode("container", "exists", "klangk-bot")).isEqualTo(1);
    }

    @Test
    void what_cannot_be_made_is_said_in_one_sentence() {
        serve();
        Ran none = klangkc("create", "bot", "--image", "localhost/none:latest");
        assertThat(none.code()).isEqualTo(ExitCode.USAGE);
        assertThat(none.err().lines())
                .singleElement()
                .asString()
                .startsWith("image 'localhost/none:latest' cannot be had:");
        Ran both = klangkc("create", "bot", "--image", TestPodman.IMAGE, "--container", "gw");
        assertThat(both.err()).contains("container is 'gw'; either an existing one or an image is accepted");
        Ran clippy = klangkc("create", "bot", "--container", "gw", "--agent", "clippy");
        assertThat(clippy.err()).contains("one of hermes, openclaw is accepted");
        assertThat(klangkc("start", "bot").err()).contains("no workspace 'bot'");
        assertThat(klangkc("ls", "-o", "name").out()).isEmpty();
    }
}
