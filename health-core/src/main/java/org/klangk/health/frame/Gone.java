package org.klangk.health.frame;

/**
 * The position asked for cannot be resumed; a snapshot follows.
 *
 * @param reason why
 * @param position the oldest position that could be
 */
public record Gone(Reason reason, Position position) implements StreamFrame {
    /** Why a position cannot be resumed. */
    public enum Reason {
        /** The log no longer reaches back to it. */
        COMPACTED,
        /** It is of another log. */
        EPOCH_CHANGED,
        /** It is ahead of the log. */
        FUTURE,
        /** What the subscriber may see changed since. */
        RIGHTS_CHANGED
    }

    @Override
    public FrameType type() {
        return FrameType.GONE;
    }
}
