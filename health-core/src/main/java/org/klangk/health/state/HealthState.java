package org.klangk.health.state;

/** The states of a workspace; their wire names are these in lower case. */
public enum HealthState {
    /** Has a check, not judged yet. */
    UNKNOWN,
    /** In startup grace, or just after it and before the first result that counts; nothing passed yet. */
    STARTING,
    HEALTHY,
    UNHEALTHY,
    /** No result for too long; the last verdict is kept beside it. */
    STALE,
    /** Nothing is checked; the reason says why. */
    NOT_CHECKED,
    /** No running container. */
    STOPPED
}
