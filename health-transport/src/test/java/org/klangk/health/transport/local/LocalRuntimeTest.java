package org.klangk.health.transport.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.klangk.health.event.StopCause;
import org.klangk.health.frame.ServiceHealth;
import org.klangk.health.runtime.ContainerInfo;
import org.klangk.health.runtime.ContainerInfo.Status;
import org.klangk.health.service.HealthService;
import org.klangk.health.state.WorkspaceHealth;
import org.klangk.health.workspace.HealthDefaults;
import org.klangk.health.workspace.InvalidWorkspaceException;
import org.klangk.health.workspace.Workspace;
import org.klangk.health.workspace.WorkspaceId;
import reactor.core.publisher.Flux;
import reactor.core.scheduler.Schedulers;
import reactor.test.StepVerifier;

class LocalRuntimeTest {
    private static final Duration LONG = Duration.ofSeconds(30);

    @TempDir
    private Path directory = Path.of("");

    private LocalRuntime runtime = LocalRuntime.in(Path.of(""));

    @BeforeEach
    void make() {
        runtime = LocalRuntime.in(directory);
    }

    @AfterEach
    void close() {
        runtime.close().block(LONG);
        assertThat(running()).isEmpty();
    }

    private static Workspace workspace(@Nullable String command) {
        return Workspace.named("web")
                .id(new WorkspaceId("web"))
                .serviceCommand(command)
                .resolve(HealthDefaults.standard());
    }

    private List<String> running() {
        return Processes.with("HOME=" + directory.resolve("web").resolve("home"));
    }

    private @Nullable ContainerInfo look() {
        return runtime.inspect("web").block(LONG);
    }

    private ContainerInfo lookUntil(Status status) {
        return Objects.requireNonNull(Flux.interval(Duration.ofMillis(20), Schedulers.boundedElastic())
                .onBackpressureDrop()
                .concatMap(tick -> runtime.inspect("web"))
                .filter(info -> info.status() == status)
                .blockFirst(LONG));
    }

    @Test
    void a_service_runs_in_its_own_private_home_until_it_is_released() throws Exception {
        Workspace web = workspace("echo hello; echo trouble >&2; touch ~/here; sleep 300 & exec sleep 300");
        runtime.launch(web).block(LONG);
        ContainerInfo info = lookUntil(Status.RUNNING);
        assertThat(info.stopCause()).isNull();
        Path home = directory.resolve("web").resolve("home");
        Processes.run(java.util.Map.of(), "while [ ! -e " + home.resolve("here") + " ]; do sleep 0.02; done");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(home)))
                .isEqualTo("rwx------");
        assertThat(running()).contains("sleep 300 ");
        runtime.release(web).block(LONG);
        assertThat(running()).isEmpty();
        assertThat(Files.readAllLines(directory.resolve("web").resolve("service.log")))
                .containsExactlyInAnyOrder("hello", "trouble");
    }

    @Test
    void a_service_that_ends_is_a_stopped_container_with_its_cause() {
        runtime.launch(workspace("exit 7")).block(LONG);
        assertThat(lookUntil(Status.STOPPED).stopCause()).isEqualTo(StopCause.exited(7));
        runtime.launch(workspace("kill -9 $$")).block(LONG);
        assertThat(Flux.interval(Duration.ofMillis(20), Schedulers.boundedElastic())
                        .onBackpressureDrop()
                        .concatMap(tick -> runtime.inspect("web"))
                        .mapNotNull(info -> info.stopCause() == null
                                ? null
                                : info.stopCause().message())
                        .filter(message -> !message.equals("exited 7"))
                        .blockFirst(LONG))
                .isEqualTo("killed by SIGKILL");
    }

    @Test
    void what_a_service_leaves_behind_ends_with_it() {
        runtime.launch(workspace("sleep 301 & setsid sleep 302 & sleep 0.2; exit 3"))
                .block(LONG);
        assertThat(lookUntil(Status.STOPPED).stopCause()).isEqualTo(StopCause.exited(3));
        assertThat(running()).isEmpty();
    }

    @Test
    void a_service_that_does_not_want_to_end_is_ended() {
        Workspace web = workspace("trap '' TERM; touch ~/deaf; while :; do sleep 1; done");
        runtime.launch(web).block(LONG);
        Processes.run(
                java.util.Map.of(), "while [ ! -e " + directory.resolve("web/home/deaf") + " ]; do sleep 0.02; done");
        runtime.release(web).block(LONG);
        assertThat(running()).isEmpty();
    }

    @Test
    void a_service_whose_script_is_killed_ends_too() {
        runtime.launch(workspace("kill -9 $PPID; sleep 303")).block(LONG);
        assertThat(Objects.requireNonNull(lookUntil(Status.STOPPED).stopCause()).message())
                .isEqualTo("killed by SIGKILL");
        assertThat(Flux.interval(Duration.ofMillis(20), Schedulers.boundedElastic())
                        .onBackpressureDrop()
                        .map(tick -> running())
                        .filter(List::isEmpty)
                        .blockFirst(LONG))
                .isEmpty();
    }

    @Test
    void launching_what_runs_changes_nothing() {
        runtime.launch(workspace("sleep 304")).block(LONG);
        ContainerInfo first = look();
        runtime.launch(workspace("sleep 304")).block(LONG);
        assertThat(look()).isEqualTo(first);
    }

    @Test
    void a_workspace_without_a_service_has_this_machine_for_its_container() {
        Workspace none = workspace(null);
        runtime.launch(none).block(LONG);
        ContainerInfo machine = runtime.inspect(runtime.ref(none)).block(LONG);
        assertThat(Objects.requireNonNull(machine).status()).isEqualTo(Status.RUNNING);
        assertThat(look()).isNull();
    }

    @Test
    void a_container_or_a_user_is_refused_by_name() {
        Workspace wrong = workspace(null).edit().container("gw").user("root").resolve(HealthDefaults.standard());
        assertThatThrownBy(() -> runtime.require(wrong))
                .isInstanceOf(InvalidWorkspaceException.class)
                .hasMessage(
                        "container is 'gw'; on this server services are local processes; service_command is accepted;"
                                + " user is 'root'; on this server services are local processes of one user");
    }

    @Test
    void startup_grace_counts_from_the_launch() {
        HealthService health = HealthService.builder().runtime(runtime).build();
        health.start().block(LONG);
        try {
            health.define(Workspace.named("web")
                            .id(new WorkspaceId("web"))
                            .startupGrace(Duration.ofSeconds(20))
                            .serviceCommand("sleep 306"))
                    .block(LONG);
            WorkspaceHealth now = Objects.requireNonNull(
                            health.current(new WorkspaceId("web")).block(LONG))
                    .health();
            assertThat(now.container().serviceStartedAt())
                    .isEqualTo(now.container().startedAt());
        } finally {
            health.stop().block(LONG);
        }
    }

    @Test
    void a_long_output_is_kept_in_two_files_of_bounded_size() throws Exception {
        runtime.launch(workspace("head -c 5000000 /dev/zero; echo; echo the end"))
                .block(LONG);
        lookUntil(Status.STOPPED);
        Path log = directory.resolve("web").resolve("service.log");
        assertThat(Flux.interval(Duration.ofMillis(20), Schedulers.boundedElastic())
                        .onBackpressureDrop()
                        .map(tick -> text(log))
                        .filter(text -> text.endsWith("\nthe end\n"))
                        .blockFirst(LONG))
                .hasSizeLessThanOrEqualTo(1024 * 1024);
        assertThat(Files.size(directory.resolve("web").resolve("service.log.1")))
                .isLessThanOrEqualTo(1024 * 1024);
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (java.io.IOException e) {
            return "";
        }
    }

    @Test
    void health_of_a_local_service_is_told_from_its_start_to_its_death_and_after_an_edit_again() {
        HealthService health = HealthService.builder().runtime(runtime).build();
        health.start().block(LONG);
        try {
            StepVerifier.create(health.stream().verdicts().map(LocalRuntimeTest::text))
                    .then(() -> health.define(Workspace.named("web")
                                    .id(new WorkspaceId("web"))
                                    .interval(Duration.ofSeconds(1))
                                    .startupGrace(Duration.ZERO)
                                    .serviceCommand("touch ~/ok; while [ -e ~/ok ]; do sleep 0.1; done; exit 5")
                                    .healthCheck("test -e ~/ok && test $HOME = $PWD"))
                            .subscribe())
                    .thenConsumeWhile(text -> text.contains("unhealthy"))
                    .expectNext("web healthy")
                    .then(() -> Processes.run(java.util.Map.of(), "rm " + directory.resolve("web/home/ok")))
                    .thenConsumeWhile(text -> text.contains("unhealthy"))
                    .expectNext("web stopped exited 5")
                    .then(() -> health.change(
                                    new WorkspaceId("web"), draft -> draft.serviceCommand("touch ~/ok; sleep 305"))
                            .subscribe())
                    .thenConsumeWhile(text -> text.contains("unhealthy"))
                    .expectNext("web healthy")
                    .then(() -> health.remove(new WorkspaceId("web")).subscribe())
                    .thenCancel()
                    .verify(LONG);
        } finally {
            health.stop().block(LONG);
        }
    }

    private static String text(ServiceHealth frame) {
        return frame.name()
                + (frame.running() ? (frame.healthy() ? " healthy" : " unhealthy ") : " stopped ")
                + (frame.healthMessage() == null ? "" : frame.healthMessage());
    }
}
