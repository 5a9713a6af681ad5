package org.klangk.health.transport.podman;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.klangk.health.runtime.RefusedException;
import org.klangk.health.service.HealthService;
import org.klangk.health.service.WorkspaceStatus;
import org.klangk.health.state.HealthState;
import org.klangk.health.workspace.Workspace;
import org.klangk.health.workspace.WorkspaceDraft;
import org.klangk.health.workspace.WorkspaceId;
import reactor.core.publisher.Flux;
import reactor.core.scheduler.Schedulers;
import reactor.netty.DisposableServer;
import reactor.netty.http.server.HttpServer;

/** Containers and services that are started for workspaces, on a real Podman. */
@NeedsPodman
class ServiceLifeIT {
    private static final Duration LONG = Duration.ofSeconds(40);
    private static final WorkspaceId ID = new WorkspaceId("w1");
    private static final String VOLUME = "klangk-bot-home";

    private final TestPodman podman = TestPodman.get();
    private final List<HealthService> services = new ArrayList<>();

    @TempDir
    private Path output = Path.of("replaced");

    private HealthService health = HealthService.builder()
            .runtime(PodmanRuntime.connect(podman.socket()))
            .build();

    @BeforeEach
    void start() {
        health = HealthService.builder()
                .runtime(PodmanRuntime.serving(podman.socket(), output.resolve("services")))
                .build();
        services.add(health);
        health.start().block(LONG);
        health.firstList().block(LONG);
    }

    @AfterEach
    void stop() {
        services.forEach(one -> one.stop().block(LONG));
        podman.remove("gw");
        podman.remove("klangk-bot");
        podman.cli("volume", "rm", "-f", VOLUME);
    }

    private static WorkspaceDraft bot(String command) {
        return Workspace.named("bot").id(ID).image(TestPodman.IMAGE).serviceCommand(command);
    }

    private Workspace inGateway(String command) {
        podman.container("gw");
        return Objects.requireNonNull(
                health.define(Workspace.named("gateway").id(ID).container("gw").serviceCommand(command))
                        .block(LONG));
    }

    private WorkspaceStatus status() {
        return Objects.requireNonNull(health.current(ID).block(LONG));
    }

    private String printed() {
        byte[] bytes = Objects.requireNonNull(
                health.output(ID, 4 * 1024 * 1024).defaultIfEmpty(new byte[0]).block(LONG));
        return new String(bytes, StandardCharsets.UTF_8);
    }

    private static void await(BooleanSupplier wanted) {
        Flux.interval(Duration.ofMillis(50), Schedulers.boundedElastic())
                .onBackpressureDrop()
                .takeUntil(tick -> wanted.getAsBoolean())
                .blockLast(LONG);
    }

    private void awaitPrinted(Predicate<String> wanted) {
        await(() -> wanted.test(printed()));
    }

    private List<String> running(String command) {
        return podman.processes("gw").stream()
                .filter(line -> line.contains(command))
                .toList();
    }

    @Test
    void a_container_is_made_and_its_home_outlives_it() {
        health.define(
                        bot("shopt -q login_shell && echo login of $(id -un) in $HOME; echo once >> ~/kept; exec sleep 1000")
                                .user("user")
                                .healthCheck("test -e ~/kept")
                                .interval(Duration.ofSeconds(1)))
                .block(LONG);
        await(() -> status().state().state() == HealthState.HEALTHY);
        awaitPrinted(text -> text.contains("login of user in /home/klangk\n"));
        assertThat(printed()).startsWith("klangk: started 20");
        assertThat(status().health().container().serviceStartedAt()).isNotNull();
        assertThat(podman.cli("inspect", "klangk-bot", "--format", "{{.Config.User}} {{.Config.Labels}}"))
                .contains("user ", "klangk.workspace-id:w1");

        health.change(ID, draft -> draft.serviceCommand("cat ~/kept; exec sleep 1000"))
                .block(LONG);
        awaitPrinted(text -> text.contains("once\n"));
        assertThat(printed()).as("of the first command").doesNotContain("login");
        assertThat(status().health().container().incarnation()).isEqualTo(2);

        podman.cli("kill", "klangk-bot");
        await(() -> status().state().state() == HealthState.STOPPED);
        health.launch(ID).block(LONG);
        awaitPrinted(text -> text.split("once\n", -1).length == 3);

        health.remove(ID).block(LONG);
        assertThat(podman.exitCode("container", "exists", "klangk-bot")).isEqualTo(1);
        assertThat(podman.exitCode("volume", "exists", VOLUME)).isZero();
        assertThat(output.resolve("services")).isEmptyDirectory();
    }

    @Test
    void an_image_that_is_not_there_is_fetched() {
        Path files = output.resolve("pushed");
        podman.cli("push", TestPodman.IMAGE, "dir:" + files);
        String image = "127.0.0.1:" + podman.registryPort() + "/klangk/bot:1";
        DisposableServer registry = HttpServer.create()
                .host("127.0.0.1")
                .port(podman.registryPort())
                .route(routes -> routes.get("/v2/", (request, response) -> response.send())
                        .get(
                                "/v2/klangk/bot/manifests/{tag}",
                                (request, response) -> response.header(
                                                "Content-Type", "application/vnd.oci.image.manifest.v1+json")
                                        .sendFile(files.resolve("manifest.json")))
                        .get(
                                "/v2/klangk/bot/blobs/{digest}",
                                (request, response) ->
                                        response.sendFile(files.resolve(Objects.requireNonNull(request.param("digest"))
                                                .replace("sha256:", "")))))
                .bindNow();
        try {
            health.define(bot("true").image(image)).block(LONG);
            assertThat(status().health().container().running()).isTrue();
            assertThatThrownBy(() -> health.change(ID, draft -> draft.image(image.replace("bot", "other")))
                            .block(LONG))
                    .isInstanceOf(RefusedException.class)
                    .hasMessageContaining("klangk/other:1' cannot be had: ");
        } finally {
            registry.disposeNow();
        }
        health.remove(ID).block(LONG);
        podman.cli("rmi", image);
    }

    @Test
    void an_image_that_serves_by_itself_is_left_to_it() {
        health.define(bot("").healthCheck("true")).block(LONG);
        assertThat(podman.cli("inspect", "klangk-bot", "--format", "{{.Path}} {{.Args}}"))
                .isEqualTo("sleep [infinity]\n");
        assertThat(health.output(ID, 100).blockOptional(LONG)).isEmpty();
    }

    @Test
    void what_a_service_leaves_behind_is_reaped_and_a_container_that_idles_ends_at_once() {
        health.define(bot("(sleep 0.1 & exec true); exec sleep 1000")).block(LONG);
        await(() -> podman.processes("klangk-bot").contains("sleep 1000"));
        await(() -> !podman.inside("klangk-bot", "ps -o stat,args").contains("sleep 0.1"));
        assertThat(podman.inside("klangk-bot", "ps -o stat,args")).doesNotContain("Z ");
        podman.cli("stop", "-t", "30", "klangk-bot");
        assertThat(podman.cli("inspect", "klangk-bot", "--format", "{{.State.ExitCode}}"))
                .isEqualTo("0\n");
    }

    @Test
    void a_service_in_somebodys_container_starts_with_each_run_and_ends_with_the_workspace() {
        inGateway("trap 'echo told >&2; exit 4' TERM; sleep 1001 & echo first; wait");
        awaitPrinted(text -> text.contains("first"));
        health.change(
                        ID,
                        draft -> draft.serviceCommand(
                                "trap '' TERM; sleep 1002 & setsid sleep 1003 & echo second; while :; do sleep 1004; done"))
                .block(LONG);
        awaitPrinted(text -> text.contains("second"));
        assertThat(running("sleep 1001")).isEmpty();
        podman.cli("restart", "-t", "0", "gw");
        awaitPrinted(text -> text.split("second", -1).length == 3);
        assertThat(status().health().container().incarnation()).isEqualTo(2);
        assertThat(running("sleep 100")).isNotEmpty();
        health.remove(ID).block(LONG);
        assertThat(podman.processes("gw")).containsExactly("sleep infinity");
    }

    @Test
    void a_service_is_told_to_end_before_it_is_ended() {
        inGateway("trap 'echo told > /tmp/told; exit 4' TERM; echo here; while :; do sleep 0.1; done");
        awaitPrinted(text -> text.contains("here"));
        health.remove(ID).block(LONG);
        assertThat(podman.inside("gw", "cat /tmp/told")).isEqualTo("told\n");
    }

    @Test
    void a_service_outlives_the_server_and_is_not_started_twice() {
        Workspace workspace = inGateway("echo first; exec sleep 1005");
        awaitPrinted(text -> text.contains("first"));
        health.stop().block(LONG);
        services.clear();
        start();
        health.define(workspace.edit()).block(LONG);
        await(() -> status().health().container().serviceStartedAt() != null);
        assertThat(running("sleep 1005")).hasSize(1);
        assertThat(printed())
                .contains("first")
                .endsWith("klangk: what it printed since the server was started is not here\n");
        podman.inside("gw", "kill $(pidof sleep | tr ' ' '\\n' | grep -vx 1)");
        health.launch(ID).block(LONG);
        awaitPrinted(text -> text.split("first", -1).length == 3);
    }

    @Test
    void how_a_service_ended_is_in_its_log() {
        inGateway("echo out; echo err >&2; exit 7");
        awaitPrinted(text -> text.contains("ended with exit code 7"));
        assertThat(printed()).contains("out\n", "err\n");
    }

    @Test
    void a_service_that_prints_without_end_goes_on_and_the_end_of_it_is_kept() {
        inGateway("seq 1 1200000; touch /tmp/done");
        awaitPrinted(text -> text.contains("ended with exit code 0"));
        assertThat(printed()).contains("\n1199999\n1200000\n").hasSizeLessThan(2 * 1024 * 1024 + 1);
        podman.inside("gw", "test -e /tmp/done");
    }

    @ParameterizedTest
    @CsvSource({"nobodyy, , unknown user 'nobodyy'", ", /nowhere, working directory '/nowhere' cannot be entered"})
    void why_a_service_could_not_be_started_is_in_its_log(String user, String workdir, String why) {
        podman.container("gw");
        health.define(Workspace.named("gateway")
                        .id(ID)
                        .container("gw")
                        .user(user)
                        .workdir(workdir)
                        .serviceCommand("true"))
                .block(LONG);
        awaitPrinted(text -> text.contains("klangk: could not be started: " + why + "\n"));
        assertThat(status().health().container().serviceStartedAt()).isNull();
    }

    @Test
    void what_is_somebody_elses_is_not_touched() {
        podman.cli("run", "-d", "--name", "klangk-bot", TestPodman.IMAGE);
        assertThatThrownBy(() -> health.define(bot("true")).block(LONG))
                .isInstanceOf(RefusedException.class)
                .hasMessageContaining("a container 'klangk-bot' is there that was not made for this workspace");
        assertThat(health.list().block(LONG)).isEmpty();
        assertThat(podman.processes("klangk-bot")).contains("sleep infinity");
        podman.remove("klangk-bot");
        podman.cli("volume", "create", VOLUME);
        assertThatThrownBy(() -> health.define(bot("true")).block(LONG))
                .isInstanceOf(RefusedException.class)
                .hasMessageContaining("volume 'klangk-bot-home' is there that is not of this owner");
    }

    @Test
    void a_home_is_of_its_owner() {
        health.define(bot("true").owner("ada")).block(LONG);
        health.remove(ID).block(LONG);
        assertThatThrownBy(() -> health.define(bot("true").owner("bob")).block(LONG))
                .hasMessageContaining("not of this owner");
        health.define(bot("true").owner("ada")).block(LONG);
    }

    @ParameterizedTest
    @CsvSource({
        "localhost/none:latest, , image 'localhost/none:latest' cannot be had: ",
        "localhost/klangk-test:latest, nobodyy, container 'klangk-bot' cannot be started: unable to find user nobodyy"
    })
    void what_cannot_be_made_is_not_watched(String image, String user, String why) {
        assertThatThrownBy(
                        () -> health.define(bot("true").image(image).user(user)).block(LONG))
                .isInstanceOf(RefusedException.class)
                .hasMessageContaining(why);
        assertThat(health.list().block(LONG)).isEmpty();
        assertThat(podman.exitCode("container", "exists", "klangk-bot")).isEqualTo(1);
    }
}
