package org.klangk.health.workspace;

/** How a check reaches into its container. */
public enum ProbeKind {
    /** One long-lived exec per workspace, a fresh shell per check inside it. */
    SESSION,
    /** One exec per check. */
    EXEC
}
