package org.klangk.health.transport.wire;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.util.function.Function;
import org.klangk.health.frame.Frame;

/** Encodes each frame once, however many get it. May be used on any thread. */
public final class EncodeOnce {
    private static final int FRAMES = 10_000;

    /** By identity, and only for as long as the frame lives: what an eviction costs is encoding again. */
    private final Cache<Frame, byte[]> encoded =
            Caffeine.newBuilder().weakKeys().maximumSize(FRAMES).build();

    private final Function<Frame, byte[]> encoding;

    /** @param encoding pure */
    public EncodeOnce(Function<Frame, byte[]> encoding) {
        this.encoding = encoding;
    }

    /** The frame's bytes; the array is shared and must not be changed. */
    public byte[] bytes(Frame frame) {
        return encoded.get(frame, encoding);
    }
}
