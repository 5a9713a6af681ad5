package org.klangk.health.transport.check;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.klangk.health.event.CheckOutcome;
import org.klangk.health.policy.OutputTail;
import org.klangk.health.probe.ProbeResult;

/**
 * The output of one check as it streams: a bounded tail of each stream, and the line on standard error by which the script
 * around the check tells how it ended. The line carries a nonce, so that the check's own output is never taken for it. Not
 * thread-safe.
 */
public final class CheckOutput {
    /** How it ended is told in fewer bytes than this. */
    private static final int LONGEST_ENDING = 16;

    private final byte[] mark;
    private final OutputTail stdout = new OutputTail();
    private final OutputTail stderr = new OutputTail();
    private byte[] held = new byte[0];
    private @Nullable String ending;

    /** For a run whose last line carries {@code nonce}. */
    public CheckOutput(String nonce) {
        mark = ('\n' + nonce + ' ').getBytes(StandardCharsets.US_ASCII);
    }

    /** The next bytes of standard output. */
    public void stdout(byte[] bytes, int offset, int length) {
        stdout.append(bytes, offset, length);
    }

    /** The next bytes of standard error; what may be the beginning of the last line is held back until it is known. */
    public void stderr(byte[] bytes, int offset, int length) {
        if (ending != null) {
            return;
        }
        byte[] all = new byte[held.length + length];
        System.arraycopy(held, 0, all, 0, held.length);
        System.arraycopy(bytes, offset, all, held.length, length);
        int at = indexOfMark(all);
        if (at >= 0) {
            int end = at + mark.length;
            while (end < all.length && all[end] != '\n') {
                end++;
            }
            if (end < all.length) {
                stderr.append(all, 0, at);
                ending = new String(all, at + mark.length, end - at - mark.length, StandardCharsets.US_ASCII);
                held = new byte[0];
                return;
            }
        }
        int keep = at >= 0 ? all.length - at : Math.min(all.length, mark.length + LONGEST_ENDING);
        stderr.append(all, 0, all.length - keep);
        held = Arrays.copyOfRange(all, all.length - keep, all.length);
    }

    private int indexOfMark(byte[] all) {
        for (int i = 0; i + mark.length <= all.length; i++) {
            int j = 0;
            while (j < mark.length && all[i + j] == mark[j]) {
                j++;
            }
            if (j == mark.length) {
                return i;
            }
        }
        return -1;
    }

    /** How it ended: an exit code, {@code timeout} or {@code cancelled}; null while it was not told. */
    public @Nullable String ending() {
        return ending;
    }

    /** What the last line says of the check; empty while it was not told. */
    public Optional<ProbeResult> verdict() {
        String how = ending;
        if (how == null) {
            return Optional.empty();
        }
        if (how.equals("timeout")) {
            return Optional.of(new ProbeResult.Completed(CheckOutcome.TIMED_OUT, null, tail()));
        }
        if (how.equals("cancelled")) {
            return Optional.of(new ProbeResult.NoResult("the check was ended from outside"));
        }
        int exitCode = Integer.parseInt(how);
        CheckOutcome outcome = exitCode == 0 ? CheckOutcome.PASSED : CheckOutcome.FAILED;
        return Optional.of(new ProbeResult.Completed(outcome, exitCode, tail()));
    }

    /** The tail to show: of standard error, or of standard output when that is empty. */
    public OutputTail tail() {
        stderr.append(held, 0, held.length);
        held = new byte[0];
        return stderr.isEmpty() ? stdout : stderr;
    }
}
