package org.klangk.health.policy;

import java.util.Arrays;

/**
 * The last {@value #LIMIT} bytes of a stream of output, however long it is. Not thread-safe.
 */
public final class OutputTail {
    /** How many bytes are held. */
    public static final int LIMIT = 8 * 1024;

    private byte[] ring = new byte[256];
    private long written;

    /** Takes the next bytes of the stream. */
    public void append(byte[] bytes, int offset, int length) {
        if (length > LIMIT) {
            written += length - LIMIT;
            offset += length - LIMIT;
            length = LIMIT;
        }
        grow(written + length);
        int at = (int) (written % ring.length);
        int first = Math.min(length, ring.length - at);
        System.arraycopy(bytes, offset, ring, at, first);
        System.arraycopy(bytes, offset + first, ring, 0, length - first);
        written += length;
    }

    private void grow(long needed) {
        if (needed > ring.length && ring.length < LIMIT) {
            ring = Arrays.copyOf(ring, (int) Math.min(LIMIT, Math.max(needed, ring.length * 2L)));
        }
    }

    /** The bytes held, oldest first. */
    public byte[] bytes() {
        if (written <= ring.length) {
            return Arrays.copyOf(ring, (int) written);
        }
        int at = (int) (written % ring.length);
        byte[] all = new byte[ring.length];
        System.arraycopy(ring, at, all, 0, ring.length - at);
        System.arraycopy(ring, 0, all, ring.length - at, at);
        return all;
    }

    /** Whether earlier bytes were let go. */
    public boolean truncated() {
        return written > LIMIT;
    }

    /** Whether nothing was written. */
    public boolean isEmpty() {
        return written == 0;
    }
}
