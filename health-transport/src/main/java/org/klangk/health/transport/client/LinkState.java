package org.klangk.health.transport.client;

import org.jspecify.annotations.Nullable;

/**
 * How a stream's link to its server is. What the stream told last is as old as the link has been down.
 *
 * @param status what it does
 * @param reason why it broke or was refused, null otherwise
 */
public record LinkState(Status status, @Nullable String reason) {
    /** What a link does. */
    public enum Status {
        /** It is being made. */
        CONNECTING,
        /** Frames come. */
        OPEN,
        /** It broke, and is made again after a while. */
        BROKEN,
        /** The server does not let this client in; it is not tried again. */
        REFUSED
    }

    static LinkState of(Status status) {
        return new LinkState(status, null);
    }
}
