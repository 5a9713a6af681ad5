package org.klangk.health.probe;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.klangk.health.event.CheckResult;

/**
 * What a run that somebody asked for gave.
 *
 * @param result what the check said, null when the attempt said nothing
 * @param noResult why it said nothing, null when it did
 * @param counted whether the result counts for the verdict
 * @param at when the run ended
 * @param duration how long it took
 * @param startDelay how long it waited before it could start
 * @param survivors how many processes that the check had started could not be ended
 */
public record CheckAnswer(
        @Nullable CheckResult result,
        @Nullable String noResult,
        boolean counted,
        Instant at,
        Duration duration,
        Duration startDelay,
        int survivors) {}
