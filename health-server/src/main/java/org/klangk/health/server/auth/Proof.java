package org.klangk.health.server.auth;

/** What a caller's proof of who they are came to. */
public sealed interface Proof {
    /**
     * It holds.
     *
     * @param caller who they are
     */
    record Admitted(Caller caller) implements Proof {}

    /** It does not. */
    enum Denied implements Proof {
        /** There is none, or none that this server gave out and still knows. */
        INVALID,
        /** It is too old; the one who gets it anew may try again. */
        EXPIRED
    }
}
