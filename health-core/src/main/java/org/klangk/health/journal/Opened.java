package org.klangk.health.journal;

import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.klangk.health.pipeline.Snapshot;

/**
 * What a journal remembers when it is opened.
 *
 * @param known the folded state, at the last frame's place
 * @param lastAlive when the monitor that wrote it was last known to be alive, null when none ever was
 */
public record Opened(Snapshot known, @Nullable Instant lastAlive) {}
