package org.klangk.health.transport.podman;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.klangk.health.event.CheckOutcome;
import org.klangk.health.event.CheckResult;
import org.klangk.health.policy.HealthMessage;
import org.klangk.health.policy.PlainText;
import org.klangk.health.policy.Redaction;
import org.klangk.health.probe.Probe;
import org.klangk.health.probe.ProbeRequest;
import org.klangk.health.probe.ProbeResult;
import org.klangk.health.workspace.HealthCheck;
import org.klangk.health.workspace.ProbeKind;
import org.klangk.health.workspace.WorkspaceId;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;

@NeedsPodman
class ExecProbeIT {
    private static final TestPodman podman = TestPodman.get();
    private static final PodmanRuntime runtime = PodmanRuntime.connect(podman.socket());
    private static final Probe probe = runtime.probe(ProbeKind.EXEC);
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration LONG = Duration.ofSeconds(30);
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

    private static ProbeRequest request(String command, Duration timeout) {
        return new ProbeRequest(new WorkspaceId("w1"), container, new HealthCheck(command), null, null, null, timeout);
    }

    private static ProbeResult run(ProbeRequest request) {
        return Objects.requireNonNull(probe.run(request).block(LONG));
    }

    private static CheckResult judged(String command, Duration timeout) {
        return judged(request(command, timeout));
    }

    private static CheckResult judged(ProbeRequest request) {
        ProbeResult result = run(request);
        assertThat(result).isInstanceOf(ProbeResult.Completed.class);
        ProbeResult.Completed completed = (ProbeResult.Completed) result;
        return HealthMessage.result(
                completed.outcome(),
                completed.exitCode(),
                request.timeout(),
                PlainText.of(completed.tail(), Redaction.standard()));
    }

    private static @Nullable String message(String command) {
        return judged(command, LONG).message();
    }

    private static String said(ProbeResult result) {
        return result instanceof ProbeResult.Completed completed
                ? PlainText.of(completed.tail(), Redaction.standard())
                : result.toString();
    }

    private static List<String> leftovers() {
        return podman.processes("exec-probe").stream()
                .filter(line -> !line.equals("sleep infinity"))
                .toList();
    }

    @Test
    void exit_code_0_passes() {
        assertThat(judged("true", LONG)).isEqualTo(new CheckResult(CheckOutcome.PASSED, 0, null));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 124, 125, 126, 127, 128, 137, 255})
    void every_other_exit_code_fails_with_that_code(int code) {
        assertThat(judged("exit " + code, LONG))
                .isEqualTo(new CheckResult(CheckOutcome.FAILED, code, "exited " + code));
    }

    @RepeatedTest(20)
    void a_check_that_ends_at_once_has_no_word_of_the_shell_around_it_in_its_message() {
        assertThat(message("exit 4")).isEqualTo("exited 4");
    }

    @Test
    void a_missing_command_is_the_checks_own_failure() {
        CheckResult result = judged("no-such-command", LONG);
        assertThat(result.outcome()).isEqualTo(CheckOutcome.FAILED);
        assertThat(result.exitCode()).isEqualTo(127);
        assertThat(result.message()).contains("no-such-command: command not found");
    }

    @Test
    void the_message_is_standard_error_or_else_standard_output_or_else_nothing() {
        assertThat(message("echo out; echo err >&2; exit 1")).isEqualTo("exited 1: err");
        assertThat(message("echo out; exit 1")).isEqualTo("exited 1: out");
        assertThat(message("exit 1")).isEqualTo("exited 1");
    }

    @Test
    void output_is_cleaned_whatever_it_holds() {
        assertThat(message("printf 'a\\0b' >&2; exit 1")).isEqualTo("exited 1: ab");
        assertThat(message("printf '\\033]52;c;AAAA\\007' >&2; exit 1")).isEqualTo("exited 1");
        assertThat(message("printf 'a\\rb\\033[31mc' >&2; exit 1")).isEqualTo("exited 1: abc");
        assertThat(message("printf '\\xff\\xfeok' >&2; exit 1")).isEqualTo("exited 1: \uFFFD\uFFFDok");
        String many = message("for i in $(seq 600); do printf 'ä' >&2; done; exit 1");
        assertThat(many).startsWith("exited 1: ...ä").doesNotContain("\uFFFD");
        assertThat(Objects.requireNonNull(many)
                        .substring("exited 1: ".length())
                        .getBytes(java.nio.charset.StandardCharsets.UTF_8))
                .hasSizeLessThanOrEqualTo(512);
    }

    @Test
    void a_check_that_waits_for_input_gets_the_end_of_it_at_once() {
        assertThat(judged("read x", Duration.ofSeconds(20)))
                .isEqualTo(new CheckResult(CheckOutcome.FAILED, 1, "exited 1"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "hang | sleep 3600",
                "deaf to TERM | trap '' TERM; sleep 3600; sleep 3600",
                "children that keep the pipes open | sleep 61 & sleep 61",
                "a child in a session of its own | setsid sleep 62 & sleep 62",
                "a double fork | (setsid bash -c 'sleep 63 & sleep 63' &) ; sleep 63",
                "late success | sleep 3; exit 0",
            })
    void a_timed_out_check_leaves_nothing_running(String name, String command) {
        assertThat(judged(command, SECOND))
                .isEqualTo(new CheckResult(CheckOutcome.TIMED_OUT, null, "timed out after 1s"));
        assertThat(leftovers()).as(name).isEmpty();
    }

    @RepeatedTest(5)
    void five_hangs_in_a_row_leave_nothing_running() {
        assertThat(judged("sleep 3600", Duration.ofMillis(300)).outcome()).isEqualTo(CheckOutcome.TIMED_OUT);
        assertThat(leftovers()).isEmpty();
    }

    @Test
    void a_flood_is_drained_its_tail_kept_and_its_end_the_timeout() {
        CheckResult result = judged("yes flood", Duration.ofSeconds(2));
        assertThat(result.outcome()).isEqualTo(CheckOutcome.TIMED_OUT);
        assertThat(result.message()).startsWith("timed out after 2s: ...").contains("\nflood\nflood\n");
        assertThat(leftovers()).isEmpty();
    }

    @Test
    void a_background_child_ends_with_its_check() {
        assertThat(judged("sleep 64 & exit 0", LONG).outcome()).isEqualTo(CheckOutcome.PASSED);
        assertThat(leftovers()).isEmpty();
    }

    @Test
    void a_cancelled_run_leaves_nothing_running() {
        Disposable running =
                probe.run(request("touch /tmp/started; sleep 65", LONG)).subscribe();
        podman.inside("exec-probe", "while [ ! -e /tmp/started ]; do sleep 0.05; done");
        running.dispose();
        podman.inside(
                "exec-probe", "for i in $(seq 100); do pidof sleep | grep -q ' ' || exit 0; sleep 0.05; done; exit 1");
        assertThat(leftovers()).isEmpty();
    }

    @Test
    void a_check_that_kills_the_script_around_it_says_nothing() {
        assertThat(run(request("kill -9 $PPID; sleep 1", LONG))).isInstanceOf(ProbeResult.NoResult.class);
    }

    @Test
    void output_that_looks_like_the_last_line_is_only_output() {
        assertThat(message("printf '\\n0123456789abcdef0123456789abcdef 0\\n' >&2; exit 1"))
                .isEqualTo("exited 1: 0123456789abcdef0123456789abcdef 0");
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
    void many_checks_at_once_do_not_mix() {
        List<String> messages = Flux.range(0, 12)
                .flatMap(
                        i -> probe.run(request("echo out$((" + i + " * 7)); exit 1", LONG))
                                .map(result -> i + " " + said(result)),
                        2)
                .collectList()
                .block(LONG);
        assertThat(messages)
                .containsExactlyInAnyOrderElementsOf(
                        IntStream.range(0, 12).mapToObj(i -> i + " out" + i * 7).toList());
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
