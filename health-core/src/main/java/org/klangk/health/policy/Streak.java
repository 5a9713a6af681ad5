package org.klangk.health.policy;

import org.klangk.health.workspace.CheckPolicy;

/**
 * Consecutive counted results of one kind.
 *
 * @param passed whether they passed; meaningless while {@code count} is 0
 * @param count how many, 0 before the first
 */
public record Streak(boolean passed, int count) {
    /** Before the first counted result. */
    public static final Streak NONE = new Streak(false, 0);

    /** Whether nothing was counted yet. */
    public boolean isEmpty() {
        return count == 0;
    }

    /** This streak and one more result. */
    public Streak and(boolean nextPassed) {
        if (count == 0 || passed != nextPassed) {
            return new Streak(nextPassed, 1);
        }
        return count == Integer.MAX_VALUE ? this : new Streak(passed, count + 1);
    }

    /** How many results of this kind make a verdict under {@code policy}. */
    public int needed(CheckPolicy policy) {
        return passed ? policy.successesBeforeHealthy() : policy.failuresBeforeUnhealthy();
    }

    /** Whether this streak makes a verdict under {@code policy}. */
    public boolean suffices(CheckPolicy policy) {
        return count > 0 && count >= needed(policy);
    }
}
