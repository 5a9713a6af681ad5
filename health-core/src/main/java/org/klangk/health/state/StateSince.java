package org.klangk.health.state;

import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A workspace's state and since when.
 *
 * @param state the state
 * @param reason why nothing is checked, one of {@code no_health_check}, {@code disabled}, {@code setup_pending},
 *     {@code setup_failed}, {@code paused}; null in every other state
 * @param since when it came to this state
 */
public record StateSince(HealthState state, @Nullable String reason, Instant since) {

    /** Whether both say the same, apart from the time. */
    boolean sameAs(HealthState otherState, @Nullable String otherReason) {
        return state == otherState && Objects.equals(reason, otherReason);
    }
}
