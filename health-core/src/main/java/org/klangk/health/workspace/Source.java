package org.klangk.health.workspace;

/** Where the definition of a workspace comes from. */
public enum Source {
    API,
    LABEL,
    FILE
}
