package org.klangk.health.event;

import java.time.Instant;

/**
 * Something that happened: an immutable fact with its time. Every state is a fold of these, so replaying them gives the same
 * state.
 *
 * <p>Times are wall times as the one writer stamped them: they never go back, except across a {@link ClockJumped}.
 */
public sealed interface HealthEvent permits WorkspaceEvent, MonitorEvent {
    /** When it happened, by the writer's clock. */
    Instant at();
}
