package org.klangk.health.state;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.klangk.health.event.CheckCompleted;
import org.klangk.health.event.CheckResult;
import org.klangk.health.policy.Streak;

/**
 * What the results of this incarnation say.
 *
 * @param healthy the last counted verdict, null when never judged
 * @param message why it is unhealthy, null otherwise
 * @param last the last counted result, null before the first
 * @param checkedAt when the last counted result came, null before the first
 * @param streak consecutive counted results
 * @param lastCountedStart when the run of the last counted result started, null before the first
 */
public record Verdict(
        @Nullable Boolean healthy,
        @Nullable String message,
        @Nullable CheckResult last,
        @Nullable Instant checkedAt,
        Streak streak,
        @Nullable Instant lastCountedStart) {

    static final Verdict NONE = new Verdict(null, null, null, null, Streak.NONE, null);

    /** One more counted result; a pass in grace needs no streak. */
    Verdict and(CheckCompleted completed, WorkspaceHealth known) {
        CheckResult result = completed.result();
        boolean passed = result.passed();
        Streak next = streak.and(passed);
        boolean flips = next.suffices(known.workspace().policy()) || (passed && known.inGrace(completed.startedAt()));
        Boolean verdict = flips ? Boolean.valueOf(passed) : healthy;
        String why = verdict == null || verdict ? null : passed ? message : result.message();
        return new Verdict(verdict, why, result, completed.at(), next, completed.startedAt());
    }

    /** What a workspace is that has this verdict and is checked in time. */
    HealthState state(boolean starting) {
        if (healthy != null) {
            return healthy ? HealthState.HEALTHY : HealthState.UNHEALTHY;
        }
        return starting ? HealthState.STARTING : HealthState.UNKNOWN;
    }

    Verdict withoutStreak() {
        return new Verdict(healthy, message, last, checkedAt, Streak.NONE, null);
    }

    Verdict shift(Duration jump) {
        return new Verdict(
                healthy, message, last, Times.shift(checkedAt, jump), streak, Times.shift(lastCountedStart, jump));
    }
}
