package org.klangk.health.history;

import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.klangk.health.workspace.WorkspaceId;

/** One thing that happened, to be read later. */
public sealed interface HistoryEntry permits Happened, Transition, ResultRun {
    /** Its number: rising with time, its own in the whole journal. */
    long id();

    /** When it happened, or began. */
    Instant at();

    /** When it happened, or when the last of it did. */
    default Instant until() {
        return at();
    }

    /** The workspace it is about, null when it is about the monitor. */
    @Nullable
    WorkspaceId workspaceId();

    /** Its kind. */
    HistoryKind kind();

    /** The last frame that told it, 0 when none did. */
    long rev();
}
