package org.klangk.health.transport.check;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.klangk.health.event.CheckOutcome;
import org.klangk.health.policy.OutputTail;
import org.klangk.health.probe.ProbeResult;

/**
 * The output of one check as it streams: a bounded tail of each stream, and what the script around the check says on both of
 * them. Its lines carry a nonce, so that the check's own output is never taken for them. Not thread-safe.
 */
public final class CheckOutput {
    private static final Pattern ENDING = Pattern.compile("(\\d{1,3}|timeout|cancelled) (\\d{1,9})");

    private final MarkedTail stdout;
    private final MarkedTail stderr;

    /** For a run whose last line carries {@code nonce}. */
    public CheckOutput(String nonce) {
        stdout = new MarkedTail(nonce);
        stderr = new MarkedTail(nonce);
    }

    /** The next bytes of standard output. */
    public void stdout(byte[] bytes, int offset, int length) {
        stdout.append(bytes, offset, length);
    }

    /** The next bytes of standard error. */
    public void stderr(byte[] bytes, int offset, int length) {
        stderr.append(bytes, offset, length);
    }

    /** Whether the script around checks runs; what was written before is nobody's. */
    public boolean begun() {
        return stdout.opening() != null && stderr.opening() != null;
    }

    /** Whether nothing more comes: how the check ended is told on both streams, or it cannot run at all. */
    public boolean ended() {
        return stdoutEnded() && stderrEnded();
    }

    /** Whether nothing more comes on standard output. */
    public boolean stdoutEnded() {
        return stdout.ending() != null || tooOld() != null;
    }

    /** Whether nothing more comes on standard error. */
    public boolean stderrEnded() {
        return stderr.ending() != null || tooOld() != null;
    }

    private @Nullable String tooOld() {
        String said = stderr.opening() == null ? stdout.opening() : stderr.opening();
        return said == null || said.isEmpty() ? null : said;
    }

    /** What was told of the check; empty while it was not. */
    public Optional<ProbeResult> verdict() {
        String bash = tooOld();
        if (bash != null) {
            return Optional.of(
                    ProbeResult.Completed.couldNotRun("bash " + bash + " is too old, 4.1 or newer is needed"));
        }
        String said = stderr.ending();
        if (said == null || stdout.ending() == null) {
            return Optional.empty();
        }
        Matcher words = ENDING.matcher(said);
        return Optional.of(
                words.matches()
                        ? verdict(words.group(1), Integer.parseInt(words.group(2)))
                        : new ProbeResult.NoResult("the check's exit was garbled"));
    }

    private ProbeResult verdict(String how, int survivors) {
        return switch (how) {
            case "timeout" -> new ProbeResult.Completed(CheckOutcome.TIMED_OUT, null, tail(), survivors);
            case "cancelled" -> new ProbeResult.NoResult("the check was ended from outside");
            default -> {
                int exitCode = Integer.parseInt(how);
                CheckOutcome outcome = exitCode == 0 ? CheckOutcome.PASSED : CheckOutcome.FAILED;
                yield new ProbeResult.Completed(outcome, exitCode, tail(), survivors);
            }
        };
    }

    /** The tail to show: of standard error, or of standard output when that is empty. */
    public OutputTail tail() {
        OutputTail errors = stderr.tail();
        return errors.isEmpty() ? stdout.tail() : errors;
    }
}
