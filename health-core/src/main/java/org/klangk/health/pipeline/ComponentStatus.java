package org.klangk.health.pipeline;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * How a part that the monitor depends on is.
 *
 * @param healthy whether it works
 * @param message what was seen, null when it works
 * @param since since when
 */
public record ComponentStatus(boolean healthy, @Nullable String message, Instant since) {}
