package org.klangk.health.event;

import org.jspecify.annotations.Nullable;

/**
 * The result of one run of a check.
 *
 * @param outcome what it says
 * @param exitCode the check's exit code, null when it had none
 * @param message why it did not pass, redacted and bounded; null when it passed
 */
public record CheckResult(
        CheckOutcome outcome,
        @Nullable Integer exitCode,
        @Nullable String message) {

    /** Whether it passed. */
    public boolean passed() {
        return outcome == CheckOutcome.PASSED;
    }
}
