package org.klangk.health.policy;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.klangk.health.event.CheckOutcome;
import org.klangk.health.event.CheckResult;
import org.klangk.health.time.Durations;

/** Says in one line why a check did not pass. */
public final class HealthMessage {
    private HealthMessage() {}

    /**
     * The result with its message.
     *
     * @param exitCode the check's exit code, null when it had none
     * @param timeout the time it was given
     * @param tail the end of its output; for {@link CheckOutcome#COULD_NOT_RUN} the reason
     */
    public static CheckResult result(CheckOutcome outcome, @Nullable Integer exitCode, Duration timeout, String tail) {
        String message = switch (outcome) {
            case PASSED -> null;
            case FAILED -> with("exited " + exitCode, tail);
            case TIMED_OUT -> with("timed out after " + Durations.text(timeout), tail);
            case COULD_NOT_RUN -> with("could not run", tail);
        };
        return new CheckResult(outcome, exitCode, message);
    }

    private static String with(String what, String tail) {
        return tail.isEmpty() ? what : what + ": " + tail;
    }
}
