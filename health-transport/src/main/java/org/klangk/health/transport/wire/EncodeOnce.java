package org.klangk.health.transport.wire;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.klangk.health.frame.Frame;
import org.klangk.health.frame.FrameKind;
import org.klangk.health.frame.LoggedFrame;

/**
 * Encodes each frame once, however many get it: the latest ones, which all subscribers share. A frame of a snapshot, or one that
 * was read back for a subscriber that is behind, is nobody else's, and remembering it would only push out what is shared. May be
 * used on any thread.
 */
public final class EncodeOnce {
    private static final int FRAMES = 10_000;
    /** Fewer than the log keeps in memory for all. */
    private static final long SHARED = 1_024;

    /** By identity, and only for as long as the frame lives: what an eviction costs is encoding again. */
    private final Cache<Frame, byte[]> encoded =
            Caffeine.newBuilder().weakKeys().maximumSize(FRAMES).build();

    private final AtomicLong latest = new AtomicLong();
    private final Function<Frame, byte[]> encoding;

    /** @param encoding pure */
    public EncodeOnce(Function<Frame, byte[]> encoding) {
        this.encoding = encoding;
    }

    /** The frame's bytes; the array is shared and must not be changed. */
    public byte[] bytes(Frame frame) {
        return isShared(frame) ? encoded.get(frame, encoding) : encoding.apply(frame);
    }

    private boolean isShared(Frame frame) {
        if (frame instanceof LoggedFrame logged && logged.kind() == FrameKind.SNAPSHOT) {
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
