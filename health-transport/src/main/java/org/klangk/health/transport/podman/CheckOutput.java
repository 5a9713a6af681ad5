package org.klangk.health.transport.podman;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import org.klangk.health.policy.OutputTail;

/**
 * The output of one check as it streams: a bounded tail of each stream, and the line on standard error by which the script
 * around the check tells how it ended. The line carries a nonce, so that the check's own output is never taken for it. Not
 * thread-safe.
 */
final class CheckOutput implements StreamDecoder.Sink {
    private static final int STDERR = 2;
    /** How it ended is told in fewer bytes than this. */
    private static final int LONGEST_ENDING = 16;

    private final byte[] mark;
    private final OutputTail stdout = new OutputTail();
    private final OutputTail stderr = new OutputTail();
    private byte[] held = new byte[0];
    private @Nullable String ending;

    CheckOutput(String nonce) {
        mark = ('\n' + nonce + ' ').getBytes(StandardCharsets.US_ASCII);
    }

    @Override
    public void bytes(int stream, byte[] bytes, int offset, int length) {
        if (stream != STDERR) {
            stdout.append(bytes, offset, length);
        } else if (ending == null) {
            stderr(bytes, offset, length);
        }
    }

    /** Holds back what may be the beginning of the last line until it is known whether it is. */
    private void stderr(byte[] bytes, int offset, int length) {
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
        held = java.util.Arrays.copyOfRange(all, all.length - keep, all.length);
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
    @Nullable
    String ending() {
        return ending;
    }

    /** The tail to show: of standard error, or of standard output when that is empty. */
    OutputTail tail() {
        stderr.append(held, 0, held.length);
        held = new byte[0];
        return stderr.isEmpty() ? stdout : stderr;
    }
}
