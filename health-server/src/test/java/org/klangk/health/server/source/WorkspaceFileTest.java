package org.klangk.health.server.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.klangk.health.service.HealthService;
import org.klangk.health.service.WorkspaceStatus;
import org.klangk.health.testing.ScriptedRuntime;
import org.klangk.health.workspace.Source;
import org.klangk.health.workspace.Workspace;
import reactor.core.publisher.Flux;

/** Workspaces in a file. */
class WorkspaceFileTest {
    private static final Duration LONG = Duration.ofSeconds(20);

    @TempDir
    private Path directory = Path.of("");

    private final HealthService health =
            HealthService.builder().runtime(new ScriptedRuntime()).build();

    @BeforeEach
    void start() {
        health.start().block(LONG);
    }

    @AfterEach
    void stop() {
        health.stop().block(LONG);
    }

    private Path file(String text) throws IOException {
        Path file = directory.resolve("workspaces.yaml");
        Files.writeString(file, text);
        return file;
    }

    private List<String> names() {
        return Objects.requireNonNull(health.list().block(LONG)).stream()
                .map(one -> one.health().workspace().name())
                .toList();
    }

    private void awaitNames(String... expected) {
        Flux.interval(Duration.ofMillis(20))
                .onBackpressureDrop()
                .concatMap(tick -> health.list())
                .map(all ->
                        all.stream().map(one -> one.health().workspace().name()).toList())
                .takeUntil(List.of(expected)::equals)
                .blockLast(LONG);
    }

    @Test
    void what_is_in_it_is_watched_and_what_is_not_in_it_any_more_is_not() throws IOException {
        health.define(Workspace.named("mine").container("c")).block(LONG);
        Path file = file("""
                workspaces:
                  gateway:
                    container: gw
                    health_check: curl -sf localhost
                    interval: 5s
                    failures_before_unhealthy: 3
                  web: {container: web}
                """);
        try (WorkspaceFile followed = WorkspaceFile.follow(file, health).block(LONG)) {
            assertThat(followed).isNotNull();
            assertThat(names()).containsExactly("gateway", "mine", "web");
            WorkspaceStatus gateway =
                    Objects.requireNonNull(health.list().block(LONG)).get(0);
            assertThat(gateway.health().workspace().source()).isEqualTo(Source.FILE);
            assertThat(gateway.health().workspace().policy().interval()).isEqualTo(Duration.ofSeconds(5));
            assertThat(gateway.health().workspace().policy().failuresBeforeUnhealthy())
                    .isEqualTo(3);
            file("workspaces: {web: {container: other}}");
            awaitNames("mine", "web");
            assertThat(Objects.requireNonNull(health.list().block(LONG))
                            .get(1)
                            .health()
                            .workspace()
                            .container())
                    .isEqualTo("other");
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "workspaces: [ | is not YAML",
                "workspaces: [a] | a map of names to fields",
                "workspace: {} | a map of names to fields",
                "workspaces: {a: 1} | workspaces.a: a map of fields",
                "workspaces: {a: {interval: soon}} | interval is \"soon\"",
                "workspaces: {a: {helth_check: x}} | helth_check is not a field",
                "workspaces: {a: {interval: 1ms}} | interval",
                "workspaces: {a: {}, a: {}} | is not YAML",
                "workspaces: {mine: {}} | mine",
            })
    void what_cannot_be_accepted_is_named_and_nothing_of_it_is_applied(String text, String named) throws IOException {
        health.define(Workspace.named("mine").container("c")).block(LONG);
        Path file = file(text.replace("workspaces: {", "workspaces: {first: {container: f}, "));
        assertThatThrownBy(() -> WorkspaceFile.follow(file, health).block(LONG))
                .isInstanceOf(WorkspaceFile.UnacceptableException.class)
                .hasMessageContaining(named);
        assertThat(names()).containsExactly("mine");
    }
}
