package org.klangk.health.workspace;

/** How far a workspace's own setup has come. Checks run only when it is {@link #COMPLETE}. */
public enum SetupState {
    PENDING,
    COMPLETE,
    FAILED
}
