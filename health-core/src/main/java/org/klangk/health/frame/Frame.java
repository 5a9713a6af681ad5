package org.klangk.health.frame;

/** One message to a subscriber. Immutable, shared by all who get it. */
public sealed interface Frame permits LoggedFrame, StreamFrame {
    /** Its type. */
    FrameType type();

    /** Where in the log it stands; for a {@link StreamFrame} where its subscriber stands when it gets it. */
    Position position();
}
