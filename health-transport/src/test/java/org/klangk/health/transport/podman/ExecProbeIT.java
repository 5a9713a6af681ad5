package org.klangk.health.transport.podman;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.klangk.health.event.CheckOutcome;
import org.klangk.health.event.CheckResult;
import org.klangk.health.probe.Probe;
import org.klangk.health.probe.ProbeRequest;
import org.klangk.health.probe.ProbeResult;
import org.klangk.health.transport.check.ProbeConformance;
import org.klangk.health.workspace.HealthCheck;
import org.klangk.health.workspace.ProbeKind;
import org.klangk.health.workspace.WorkspaceId;

@NeedsPodman
class ExecProbeIT extends ProbeConformance {
    private static final TestPodman podman = TestPodman.get();
    private static final PodmanRuntime runtime = PodmanRuntime.connect(podman.socket());
    private static final Probe probe = runtime.probe(ProbeKind.EXEC);
    private static String container = "";

    @BeforeAll
    static void start() {
        container = podman.container("exec-probe", "-e", "FROM_IMAGE=yes");
    }

    @AfterAll
    static void remove() {
        podman.remove("exec-probe");
        runtime.close().block(LONG);
    }

    @Override
    protected Probe probe() {
        return probe;
    }

    @Override
    protected ProbeRequest request(String command, Duration timeout) {
        return new ProbeRequest(new WorkspaceId("w1"), container, new HealthCheck(command), null, null, null, timeout);
    }

    @Override
    protected List<String> leftovers() {
        return podman.processes("exec-probe").stream()
                .filter(line -> !line.equals("sleep infinity"))
                .toList();
    }

    @Override
    protected void inside(String shell) {
        podman.inside("exec-probe", shell);
    }

    @Test
    void the_environment_is_the_images_and_one_variable_of_ours() {
        String seen = message("env | grep -v '^_=' >&2; exit 1");
        assertThat(Objects.requireNonNull(seen).replace("exited 1: ", "").lines())
                .anyMatch(line -> line.matches("KLANGK_CHECK_ID=[0-9a-f]{32}"))
                .contains("FROM_IMAGE=yes", "HOME=/root", "SHLVL=1", "PATH=/usr/local/bin:/usr/bin:/bin");
    }

    @Test
    void user_home_and_workdir_are_those_asked_for() {
        ProbeRequest as = new ProbeRequest(
                new WorkspaceId("w1"),
                container,
                new HealthCheck("echo $(id -u) $HOME $PWD; exit 1"),
                "user",
                null,
                "/tmp",
                LONG);
        assertThat(judged(as).message()).isEqualTo("exited 1: 1000 /home/user /tmp");
        ProbeRequest elsewhere = new ProbeRequest(
                new WorkspaceId("w1"), container, new HealthCheck("echo $HOME; exit 1"), "1000", "/data", null, LONG);
        assertThat(judged(elsewhere).message()).isEqualTo("exited 1: /data");
    }

    @Test
    void what_a_container_lacks_could_not_run() {
        assertThat(judged(new ProbeRequest(
                        new WorkspaceId("w1"), container, new HealthCheck("true"), "nobody-here", null, null, LONG)))
                .isEqualTo(
                        new CheckResult(CheckOutcome.COULD_NOT_RUN, null, "could not run: unknown user 'nobody-here'"));
        assertThat(judged(new ProbeRequest(
                        new WorkspaceId("w1"), container, new HealthCheck("true"), null, null, "/no/such", LONG)))
                .isEqualTo(new CheckResult(
                        CheckOutcome.COULD_NOT_RUN,
                        null,
                        "could not run: working directory '/no/such' cannot be entered"));
    }

    @Test
    void a_container_without_bash_could_not_run() {
        String id = podman.container("no-bash");
        try {
            podman.inside("no-bash", "mv /bin/bash /bin/gone; true");
            ProbeRequest request =
                    new ProbeRequest(new WorkspaceId("w1"), id, new HealthCheck("true"), null, null, null, LONG);
            assertThat(judged(request))
                    .isEqualTo(new CheckResult(
                            CheckOutcome.COULD_NOT_RUN,
                            null,
                            "could not run: no executable bash in the container's PATH"));
            podman.cli("exec", "no-bash", "sh", "-c", "mv /bin/gone /bin/bash; chmod 644 /bin/bash");
            assertThat(judged(request))
                    .isEqualTo(new CheckResult(
                            CheckOutcome.COULD_NOT_RUN,
                            null,
                            "could not run: no executable bash in the container's PATH"));
        } finally {
            podman.remove("no-bash");
        }
    }

    @Test
    void a_container_that_is_gone_stopped_or_paused_gives_no_result() {
        String id = podman.container("comes-and-goes");
        try {
            ProbeRequest request =
                    new ProbeRequest(new WorkspaceId("w1"), id, new HealthCheck("true"), null, null, null, LONG);
            podman.cli("pause", "comes-and-goes");
            assertThat(run(request)).isInstanceOf(ProbeResult.NoResult.class);
            podman.cli("unpause", "comes-and-goes");
            podman.cli("kill", "comes-and-goes");
            podman.cli("wait", "comes-and-goes");
            assertThat(run(request)).isInstanceOf(ProbeResult.NoResult.class);
            podman.remove("comes-and-goes");
            assertThat(run(request)).isInstanceOf(ProbeResult.NoResult.class);
        } finally {
            podman.remove("comes-and-goes");
        }
    }

    @Test
    void a_container_that_dies_during_its_check_gives_no_result() {
        String id = podman.container("dies");
        try {
            ProbeRequest request = new ProbeRequest(
                    new WorkspaceId("w1"),
                    id,
                    new HealthCheck("touch /tmp/on; sleep 5; exit 0"),
                    null,
                    null,
                    null,
                    LONG);
            ProbeResult result = probe.run(request)
                    .doOnSubscribe(on -> reactor.core.scheduler.Schedulers.boundedElastic()
                            .schedule(() -> {
                                podman.inside("dies", "while [ ! -e /tmp/on ]; do sleep 0.05; done");
                                podman.cli("kill", "dies");
                            }))
                    .block(LONG);
            assertThat(result).isInstanceOf(ProbeResult.NoResult.class);
        } finally {
            podman.remove("dies");
        }
    }

    @Test
    void a_podman_that_is_not_there_gives_no_result() {
        PodmanRuntime nowhere = PodmanRuntime.connect(podman.socket().resolveSibling("no.sock"));
        ProbeResult result =
                nowhere.probe(ProbeKind.EXEC).run(request("true", LONG)).block(LONG);
        assertThat(result)
                .isInstanceOfSatisfying(
                        ProbeResult.NoResult.class,
                        none -> assertThat(none.runtimeDown()).isTrue());
        nowhere.close().block(LONG);
    }
}
