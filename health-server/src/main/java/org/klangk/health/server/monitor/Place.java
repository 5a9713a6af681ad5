package org.klangk.health.server.monitor;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How far a monitor has come: nothing up to the position is unfinished, and of some workspaces nothing up to a later one.
 *
 * @param position {@code epoch.rev}; null at the very beginning
 * @param done the last finished {@code rev} of workspaces that were ahead of it
 */
public record Place(@Nullable String position, Map<String, Long> done) {
    /** Before anything. */
    public static final Place BEGINNING = new Place(null, Map.of());

    public Place {
        done = Map.copyOf(done);
    }
}
