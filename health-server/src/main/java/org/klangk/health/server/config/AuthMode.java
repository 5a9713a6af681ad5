package org.klangk.health.server.config;

/** How callers prove who they are. */
public enum AuthMode {
    /** One token in the data directory, which those who can read it may use. */
    LOCAL,
    /** Users who log in, and tokens of theirs. */
    PASSWORD,
    /** Everybody who can connect, which is why this listens on loopback only. */
    NONE
}
