package org.klangk.health.frame;

/** The subscriber has everything up to here. */
public record Bookmark(Position position) implements StreamFrame {
    @Override
    public FrameType type() {
        return FrameType.BOOKMARK;
    }
}
