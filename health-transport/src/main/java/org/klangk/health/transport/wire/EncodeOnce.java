package org.klangk.health.transport.wire;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.klangk.health.frame.Frame;
import org.klangk.health.frame.FrameKind;
import org.klangk.health.frame.Heartbeat;
import org.klangk.health.frame.LoggedFrame;

/**
 * Encodes each frame once, however many get it: the latest ones, which all subscribers share. A frame of a snapshot, or one that
 * was read back for a subscriber that is behind, is nobody else's, and remembering it would only push out what is shared. May be
 * used on any thread and never waits; two that come for the same frame at the same moment may both encode it.
 */
public final class EncodeOnce {
    /** Fewer than the log keeps in memory for all. */
    private static final int SHARED = 1_024;

    private static final class Encoded {
        private final Frame frame;
        private final byte[] bytes;

        Encoded(Frame frame, byte[] bytes) {
            this.frame = frame;
            this.bytes = bytes;
        }
    }

    /** By the frame's number, which has no gap. */
    private final AtomicReferenceArray<@Nullable Encoded> logged = new AtomicReferenceArray<>(SHARED);
    /** The last heartbeat. */
    private final AtomicReferenceArray<@Nullable Encoded> beat = new AtomicReferenceArray<>(1);

    private final AtomicLong latest = new AtomicLong();
    private final Function<Frame, byte[]> encoding;

    /** @param encoding pure */
    public EncodeOnce(Function<Frame, byte[]> encoding) {
        this.encoding = encoding;
    }

    /** The frame's bytes; the array is shared and must not be changed. */
    public byte[] bytes(Frame frame) {
        if (frame instanceof Heartbeat) {
            return remembered(beat, 0, frame);
        }
        return frame instanceof LoggedFrame one && isShared(one)
                ? remembered(logged, Math.floorMod(frame.position().rev(), SHARED), frame)
                : encoding.apply(frame);
    }

    @SuppressWarnings("ReferenceEquality") // the same frame is the same object; another one is only encoded again
    private byte[] remembered(AtomicReferenceArray<@Nullable Encoded> among, int slot, Frame frame) {
        Encoded known = among.get(slot);
        if (known != null && known.frame == frame) {
            return known.bytes;
        }
        byte[] bytes = encoding.apply(frame);
        among.set(slot, new Encoded(frame, bytes));
        return bytes;
    }

    private boolean isShared(LoggedFrame frame) {
        if (frame.kind() == FrameKind.SNAPSHOT) {
            return false;
        }
        long rev = frame.position().rev();
        long newest = latest.get();
        if (rev > newest) {
            latest.accumulateAndGet(rev, Math::max);
            return true;
        }
        return rev > newest - SHARED;
    }
}
