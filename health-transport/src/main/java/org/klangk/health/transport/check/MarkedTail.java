package org.klangk.health.transport.check;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.klangk.health.policy.OutputTail;

/**
 * One stream of a check as it comes: its bounded tail, and the lines by which the script around the check says that the check
 * begins and how it ended. Both carry the nonce. Not thread-safe.
 */
final class MarkedTail {
    /** What follows the nonce is shorter than this. */
    private static final int LONGEST = 80;

    private static final String READY = "ready";

    private final byte[] mark;
    private OutputTail tail = new OutputTail();
    private byte[] held = new byte[0];
    private @Nullable String opening;
    private @Nullable String ending;

    MarkedTail(String nonce) {
        mark = ('\n' + nonce + ' ').getBytes(StandardCharsets.US_ASCII);
    }

    /** The next bytes; what may be the beginning of a line with the nonce is held back until it is known. */
    void append(byte[] bytes, int offset, int length) {
        byte[] all = new byte[held.length + length];
        System.arraycopy(held, 0, all, 0, held.length);
        System.arraycopy(bytes, offset, all, held.length, length);
        held = all;
        while (ending == null) {
            int at = indexOfMark();
            int end = at < 0 ? -1 : indexOfNewline(at + mark.length);
            if (end < 0) {
                keep(Math.min(at >= 0 ? held.length - at : held.length, mark.length + LONGEST));
                return;
            }
            line(at, end);
        }
        held = new byte[0];
    }

    private void line(int at, int end) {
        String said = new String(held, at + mark.length, end - at - mark.length, StandardCharsets.US_ASCII);
        if (said.startsWith(READY)) {
            opening = said.substring(READY.length()).strip();
            tail = new OutputTail();
        } else {
            tail.append(held, 0, at);
            ending = said;
        }
        held = Arrays.copyOfRange(held, end + 1, held.length);
    }

    private void keep(int count) {
        tail.append(held, 0, held.length - count);
        held = Arrays.copyOfRange(held, held.length - count, held.length);
    }

    private int indexOfMark() {
        for (int i = 0; i + mark.length <= held.length; i++) {
            if (Arrays.equals(held, i, i + mark.length, mark, 0, mark.length)) {
                return i;
            }
        }
        return -1;
    }

    private int indexOfNewline(int from) {
        for (int i = from; i < held.length; i++) {
            if (held[i] == '\n') {
                return i;
            }
        }
        return -1;
    }

    /** What the script had to say when it began, mostly nothing; null while it did not begin. */
    @Nullable
    String opening() {
        return opening;
    }

    /** How the check ended; null while that was not told. */
    @Nullable
    String ending() {
        return ending;
    }

    /** The end of what the check wrote. */
    OutputTail tail() {
        keep(0);
        return tail;
    }
}
