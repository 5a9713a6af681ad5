package org.klangk.health.server.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Sandbox files, as fields of a definition. */
class SandboxFileTest {
    @TempDir
    private Path directory = Path.of("replaced");

    private Path file(String text) throws IOException {
        return Files.writeString(directory.resolve(".klangk-sandbox.yaml"), text);
    }

    @Test
    void what_is_ours_is_taken_and_the_rest_is_let_alone() throws IOException {
        Path file = file("""
                workspace:
                  image: docker.io/library/debian:12
                  service-command: |
                    exec ~/serve
                  auto-start: true
                  colour: green
                health-check: test -e ~/up
                mounts: [{source: ., target: /work}]
                """);
        assertThat(SandboxFile.read(file))
                .hasToString("{\"image\":\"docker.io/library/debian:12\",\"service_command\":\"exec ~/serve\\n\","
                        + "\"auto_start\":true,\"health_check\":\"test -e ~/up\"}");
    }

    @ParameterizedTest
    @CsvSource({"''", "'mounts: []'", "'workspace:'", "'workspace: {image: null}'"})
    void one_that_says_nothing_of_a_workspace_says_nothing(String text) throws IOException {
        assertThat(SandboxFile.read(file(text))).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "'- a'                                  | a map with 'workspace', a map, is accepted",
                "'workspace: debian'                    | a map with 'workspace', a map, is accepted",
                "'workspace: {image: [a]}'              | workspace.image is [\"a\"]; a text is accepted",
                "'auto-start: often'                    | auto-start is \"often\"; true or false is accepted",
                "'health-check: 5'                      | health-check is 5; a text is accepted",
                "'{health-check: a, workspace: {health-check: b}}' | health-check is there twice, and not the same",
                "'a: ['                                 | while parsing",
            })
    void what_cannot_be_accepted_is_named(String text, String why) throws IOException {
        Path file = file(text);
        assertThatThrownBy(() -> SandboxFile.read(file))
                .isInstanceOf(CliException.class)
                .hasMessageStartingWith("--sandbox " + file + ": ")
                .hasMessageContaining(why);
    }

    @Test
    void one_that_is_not_there_is_named() {
        assertThatThrownBy(() -> SandboxFile.read(directory.resolve("nowhere.yaml")))
                .hasMessageEndingWith("nowhere.yaml: no such file");
    }
}
