package org.klangk.health.service;

import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.klangk.health.pipeline.Told;
import org.klangk.health.state.StateSince;
import org.klangk.health.state.WorkspaceHealth;
import org.klangk.health.workspace.ProbeKind;

/**
 * Everything about one workspace at one moment.
 *
 * @param health what is known
 * @param told what was told: {@code seq} and {@code rev}
 * @param state its state at {@code now}
 * @param epoch identity of the log
 * @param probe how its checks run now, which may be another way than the one asked for
 * @param nextCheckAt when the next run is planned, null when none is
 * @param now the moment
 */
public record WorkspaceStatus(
        WorkspaceHealth health,
        Told told,
        StateSince state,
        String epoch,
        ProbeKind probe,
        @Nullable Instant nextCheckAt,
        Instant now) {}
