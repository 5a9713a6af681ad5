package org.klangk.health.event;

/** What a finished run of a check says of the service. All but {@link #PASSED} count as unhealthy. */
public enum CheckOutcome {
    /** Exit code 0. */
    PASSED,
    /** Another exit code. */
    FAILED,
    /** Not over when its time was. */
    TIMED_OUT,
    /** This container cannot run it: no bash, unknown user, bad directory, not executable. */
    COULD_NOT_RUN
}
