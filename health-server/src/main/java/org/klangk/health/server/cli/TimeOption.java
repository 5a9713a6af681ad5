package org.klangk.health.server.cli;

import java.time.Duration;
import java.util.function.Predicate;
import org.klangk.health.time.Durations;

/** The value of an option that is a duration. */
final class TimeOption {
    private TimeOption() {}

    /** @throws CliException naming the option, what was given and what is accepted */
    static Duration parse(String option, String text) {
        return parse(option, text, time -> true, "a duration (30, 30s, 2m)");
    }

    /** The same where not every duration is accepted. */
    static Duration parse(String option, String text, Predicate<Duration> fits, String accepted) {
        return Durations.parse(text)
                .filter(fits)
                .orElseThrow(
                        () -> new CliException(ExitCode.USAGE, option + " " + text + ": " + accepted + " is accepted"));
    }
}
