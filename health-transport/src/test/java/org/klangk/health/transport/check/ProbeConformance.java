package org.klangk.health.transport.check;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
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
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.scheduler.Schedulers;

/**
 * What every probe promises, whatever it runs checks in. A subclass names the probe and can look into where it runs them.
 */
public abstract class ProbeConformance {
    protected static final Duration SECOND = Duration.ofSeconds(1);
    protected static final Duration LONG = Duration.ofSeconds(30);

    /** The probe under test. */
    protected abstract Probe probe();

    /** A run of a command as nobody in particular. */
    protected abstract ProbeRequest request(String command, Duration timeout);

    /** How many checks in a row are enough. */
    protected int manyRuns() {
        return 1000;
    }

    /** The command lines of what checks have left running. */
    protected abstract List<String> leftovers();

    /** Runs a shell command where checks run, with the same home. */
    protected abstract void inside(String shell);

    protected final ProbeResult run(ProbeRequest request) {
        return Objects.requireNonNull(probe().run(request).block(LONG));
    }

    protected final CheckResult judged(String command, Duration timeout) {
        return judged(request(command, timeout));
    }

    protected final CheckResult judged(ProbeRequest request) {
        ProbeResult result = run(request);
        assertThat(result).isInstanceOf(ProbeResult.Completed.class);
        ProbeResult.Completed completed = (ProbeResult.Completed) result;
        return HealthMessage.result(
                completed.outcome(),
                completed.exitCode(),
                request.timeout(),
                PlainText.of(completed.tail(), Redaction.standard()));
    }

    protected final @Nullable String message(String command) {
        return judged(command, LONG).message();
    }

    protected final String said(ProbeResult result) {
        return result instanceof ProbeResult.Completed completed
                ? PlainText.of(completed.tail(), Redaction.standard())
                : result.toString();
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
        assertThat(Objects.requireNonNull(many).substring("exited 1: ".length()).getBytes(StandardCharsets.UTF_8))
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

    @ParameterizedTest
    @ValueSource(
            strings = {
                "sleep 64 & exit 0",
                "(setsid sleep 64 &) ; exit 0",
                "(setsid bash -c 'sleep 64 & sleep 64' &) ; exit 0",
                "(sleep 0.05; setsid sleep 64) & exit 0",
            })
    void what_a_check_starts_ends_with_it(String command) {
        assertThat(judged(command, LONG)).isEqualTo(new CheckResult(CheckOutcome.PASSED, 0, null));
        assertThat(leftovers()).isEmpty();
    }

    @Test
    void much_output_that_ends_is_drained_and_its_tail_kept() {
        assertThat(message("yes much | head -n 4000000; echo end; exit 1"))
                .startsWith("exited 1: ...")
                .endsWith("much\nmuch\nend");
    }

    @Test
    void a_check_may_close_its_outputs_end_itself_or_make_no_sense() {
        assertThat(message("exec 1>&- 2>&-; exit 3")).isEqualTo("exited 3");
        assertThat(message("kill -9 $$")).isEqualTo("exited 137");
        assertThat(message("kill -TERM $$")).isEqualTo("exited 143");
        assertThat(message("printf no-newline; exit 1")).isEqualTo("exited 1: no-newline");
        assertThat(judged("if", LONG).message()).startsWith("exited 2: ").contains("syntax error");
    }

    @Test
    void a_check_that_stops_itself_times_out() {
        assertThat(judged("kill -STOP $$", SECOND).outcome()).isEqualTo(CheckOutcome.TIMED_OUT);
        assertThat(leftovers()).isEmpty();
    }

    @Test
    void every_character_of_a_command_arrives() {
        StringBuilder odd = new StringBuilder();
        for (char c = 1; c < 256; c++) {
            odd.append(c == '\'' ? "" : c);
        }
        String text = odd + "häß 健康 \uD83D\uDE00";
        ProbeResult result =
                run(request("printf %s '" + text + "' | od -An -v -tx1 | tr -d ' \\n' | md5sum; exit 1", LONG));
        assertThat(said(result)).isEqualTo(md5(hex(text)) + "  -");
        String long64k = "x".repeat(65_000);
        assertThat(message("x=" + long64k + "; echo ${#x}; exit 1")).isEqualTo("exited 1: 65000");
    }

    private static String hex(String text) {
        return HexFormat.of().formatHex(text.getBytes(StandardCharsets.UTF_8));
    }

    private static String md5(String text) {
        try {
            return HexFormat.of()
                    .formatHex(MessageDigest.getInstance("MD5").digest(text.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void nothing_of_a_check_is_there_for_the_next() {
        String look = "echo $PWD [$x$y$(type -t f)$(alias)] $(umask) $- $0; exit 1";
        String before = message(look);
        judged("cd /tmp; x=1; export y=2; f() { :; }; alias l=ls; umask 077; trap 'echo trap' EXIT; set -e", LONG);
        assertThat(message(look)).isEqualTo(before).endsWith("[] 0022 hBc bash");
    }

    @Test
    void many_checks_in_a_row_each_tell_their_own() {
        Integer right = Flux.range(0, manyRuns())
                .concatMap(i -> probe().run(request("echo " + i + "; exit " + i % 3, LONG))
                        .filter(result -> result instanceof ProbeResult.Completed completed
                                && Objects.equals(completed.exitCode(), i % 3)
                                && said(result).equals(Integer.toString(i))))
                .count()
                .map(Long::intValue)
                .block(Duration.ofMinutes(5));
        assertThat(right).isEqualTo(manyRuns());
        assertThat(leftovers()).isEmpty();
    }

    private void awaitNothingLeft() {
        assertThat(Flux.interval(Duration.ofMillis(20), Schedulers.boundedElastic())
                        .onBackpressureDrop()
                        .map(tick -> leftovers())
                        .filter(List::isEmpty)
                        .blockFirst(LONG))
                .isEmpty();
    }

    @Test
    void a_cancelled_run_leaves_nothing_running() {
        Disposable running =
                probe().run(request("touch ~/started; sleep 65", LONG)).subscribe();
        inside("while [ ! -e ~/started ]; do sleep 0.05; done");
        running.dispose();
        inside("rm ~/started");
        awaitNothingLeft();
    }

    @Test
    void a_check_that_kills_the_script_around_it_says_nothing() {
        assertThat(run(request("kill -9 $PPID; sleep 1", LONG))).isInstanceOf(ProbeResult.NoResult.class);
    }

    @RepeatedTest(10)
    void a_check_whose_first_act_is_to_kill_the_script_around_it_does_not_outlive_it() {
        assertThat(run(request("kill -9 $PPID; sleep 307", LONG))).isInstanceOf(ProbeResult.NoResult.class);
        awaitNothingLeft();
    }

    @ParameterizedTest
    @CsvSource(
            delimiterString = " :: ",
            value = {
                "its shell :: setsid sleep 66 & kill -9 $PPID; sleep 66",
                "its guard :: (setsid sleep 66 &); me=$$; for p in /proc/[0-9]*; do read -r line < $p/stat; line=(${line##*) });"
                        + " [ ${line[1]} = $PPID ] && [ ${p#/proc/} != $me ] && kill -9 ${p#/proc/}; done; sleep 66",
            })
    void a_check_that_kills_what_should_end_it_says_nothing_and_leaves_nothing(String killed, String command) {
        ProbeResult result = run(request("[ -e ~/once ] && exit 9; touch ~/once; " + command, SECOND));
        inside("rm ~/once");
        assertThat(leftovers()).isEmpty();
        // Where a lost run is run again it is the second that speaks.
        if (result instanceof ProbeResult.Completed again) {
            assertThat(again.exitCode()).isEqualTo(9);
        }
    }

    @Test
    void output_that_looks_like_the_last_line_is_only_output() {
        assertThat(message("printf '\\n0123456789abcdef0123456789abcdef 0\\n' >&2; exit 1"))
                .isEqualTo("exited 1: 0123456789abcdef0123456789abcdef 0");
    }

    @Test
    void many_checks_at_once_do_not_mix() {
        List<String> messages = Flux.range(0, 12)
                .flatMap(
                        i -> probe().run(request("echo out$((" + i + " * 7)); exit 1", LONG))
                                .map(result -> i + " " + said(result)),
                        2)
                .collectList()
                .block(LONG);
        assertThat(messages)
                .containsExactlyInAnyOrderElementsOf(
                        IntStream.range(0, 12).mapToObj(i -> i + " out" + i * 7).toList());
    }
}
