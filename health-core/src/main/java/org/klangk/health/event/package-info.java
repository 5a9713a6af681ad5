/** What happened: immutable, timestamped facts. State is only ever a fold of these; start reading at {@link org.klangk.health.event.HealthEvent}, then go on to {@code org.klangk.health.state.WorkspaceHealth}. */
@NullMarked
package org.klangk.health.event;

import org.jspecify.annotations.NullMarked;
