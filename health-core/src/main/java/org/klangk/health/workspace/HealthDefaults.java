package org.klangk.health.workspace;

import java.time.Duration;

/**
 * What a definition means where it is silent. Resolved and stored when a workspace is defined, so that another default later
 * does not rewrite history.
 *
 * @param policy the cadence and the thresholds
 * @param probe how checks run
 */
public record HealthDefaults(CheckPolicy policy, ProbeKind probe) {

    /** Every 30 s, 10 s timeout, 30 s grace, every 2 s while starting, one result makes a verdict. */
    public static HealthDefaults standard() {
        return new HealthDefaults(
                new CheckPolicy(
                        Duration.ofSeconds(30),
                        Duration.ofSeconds(10),
                        Duration.ofSeconds(30),
                        Duration.ofSeconds(2),
                        1,
                        1),
                ProbeKind.SESSION);
    }
}
