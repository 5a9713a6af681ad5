package org.klangk.health.probe;

/** Nothing can be checked in this workspace now; the message says why. */
public final class NotCheckableException extends RuntimeException {
    /** @param reason why, such as {@code stopped} or {@code no_health_check} */
    public NotCheckableException(String reason) {
        super(reason);
    }
}
