package org.klangk.health.probe;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.klangk.health.event.CheckOutcome;
import org.klangk.health.event.CheckResult;
import org.klangk.health.policy.HealthMessage;
import org.klangk.health.policy.OutputTail;
import org.klangk.health.policy.PlainText;
import org.klangk.health.policy.Redaction;

/** What became of one attempt to run a check. */
public sealed interface ProbeResult {
    /**
     * The check ran, or its container cannot run it: this speaks of the service.
     *
     * @param outcome what it says
     * @param exitCode the check's exit code, null when it had none
     * @param tail the end of its standard error, or of its standard output when that is empty; for
     *     {@link CheckOutcome#COULD_NOT_RUN} the reason
     * @param survivors how many processes that it had started could not be ended
     */
    record Completed(CheckOutcome outcome, @Nullable Integer exitCode, OutputTail tail, int survivors)
            implements ProbeResult {
        /** It ran, and nothing that it had started is left. */
        public Completed(CheckOutcome outcome, @Nullable Integer exitCode, OutputTail tail) {
            this(outcome, exitCode, tail, 0);
        }

        /** The place where the check should run cannot run it, for this reason. */
        public static Completed couldNotRun(String reason) {
            OutputTail tail = new OutputTail();
            byte[] bytes = reason.getBytes(StandardCharsets.UTF_8);
            tail.append(bytes, 0, bytes.length);
            return new Completed(CheckOutcome.COULD_NOT_RUN, null, tail);
        }

        /**
         * What is kept of it.
         *
         * @param timeout how long it might take
         */
        public CheckResult kept(Duration timeout, Redaction redaction) {
            String text = outcome == CheckOutcome.PASSED ? "" : PlainText.of(tail, redaction);
            return HealthMessage.result(outcome, exitCode, timeout, text);
        }
    }

    /**
     * The attempt said nothing about the service.
     *
     * @param reason why, for a person
     * @param runtimeDown whether what runs the containers did not answer at all
     */
    record NoResult(String reason, boolean runtimeDown) implements ProbeResult {
        /** Nothing was learned, but what runs the containers answers. */
        public NoResult(String reason) {
            this(reason, false);
        }
    }
}
