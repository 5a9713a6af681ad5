package org.klangk.health.policy;

import java.time.Duration;
import java.time.Instant;
import org.klangk.health.workspace.CheckPolicy;

/** When a verdict is too old to be believed. */
public final class Staleness {
    private Staleness() {}

    /** How long a workspace may go without any result: twice its interval and one timeout. */
    public static Duration allowed(CheckPolicy policy) {
        // Added rather than multiplied, which the JDK does with decimals; this is asked for every event.
        return policy.interval().plus(policy.interval()).plus(policy.timeout());
    }

    /** The moment from which a workspace is stale that had its last result, or began to be checked, at {@code since}. */
    public static Instant deadline(CheckPolicy policy, Instant since) {
        return since.plus(allowed(policy));
    }
}
