package org.klangk.health.server.auth;

import org.jspecify.annotations.Nullable;

/** Decides who a caller is. May be used on any thread; never blocks. */
public interface Authenticator {
    /**
     * Who asks.
     *
     * @param authorization the header's value, null when there is none
     * @param parameter a token in the query, null when there is none or none is looked at
     */
    Proof check(@Nullable String authorization, @Nullable String parameter);

    /** Whether one who was admitted still is, with the same rights. */
    Proof again(Caller caller);

    /** Whether there is a user of this name; a server without accounts takes any. */
    default boolean knows(String user) {
        return true;
    }

    /** Everybody is the one user there is. */
    static Authenticator none() {
        return new OneUser(null);
    }

    /** Whoever has the token is the one user there is. */
    static Authenticator local(String token) {
        return new OneUser(token);
    }
}
