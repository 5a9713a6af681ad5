package org.klangk.health.transport.journal;

import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.klangk.health.event.ClockJumped;
import org.klangk.health.event.WorkspaceEvent;
import org.klangk.health.frame.LoggedFrame;
import org.klangk.health.frame.Position;
import org.klangk.health.history.HistoryEntry;
import org.klangk.health.history.Recorder;
import org.klangk.health.history.ResultRun;
import org.klangk.health.pipeline.Replay;
import org.klangk.health.pipeline.Snapshot;
import org.klangk.health.pipeline.Tracked;
import org.klangk.health.workspace.WorkspaceId;

/**
 * What a journal that was written before knows: the checkpoint, and the tail folded on top of it.
 *
 * @param known everything
 * @param number the last event's number
 * @param lastAt when the last event of the tail was, null when there is none
 * @param runs runs of results in the tail
 * @param changed workspaces that the checkpoint has otherwise
 * @param removed workspaces that only the checkpoint has
 */
record Recovery(
        Snapshot known,
        long number,
        @Nullable Instant lastAt,
        Map<Long, ResultRun> runs,
        Map<WorkspaceId, Tracked> changed,
        Set<WorkspaceId> removed) {

    static Recovery of(Connection connection, Meta meta) throws SQLException, IOException {
        List<Tables.TailEvent> tail = Tables.tail(connection);
        List<LoggedFrame> frames = Tables.frames(connection, meta.rev(), Integer.MAX_VALUE);
        Replay replay = Replay.of(
                Tables.checkpoint(connection, new Position(meta.epoch(), meta.rev())),
                tail.stream().map(Tables.TailEvent::event).toList(),
                frames);
        long number = meta.number();
        Recorder recorder = new Recorder();
        Map<Long, ResultRun> runs = new TreeMap<>();
        Set<WorkspaceId> touched = new HashSet<>();
        boolean all = false;
        for (int i = 0; i < tail.size(); i++) {
            number = tail.get(i).number();
            for (HistoryEntry entry : recorder.record(number, replay.steps().get(i))) {
                if (entry instanceof ResultRun run) {
                    runs.put(run.id(), run);
                }
            }
            all |= tail.get(i).event() instanceof ClockJumped;
            if (tail.get(i).event() instanceof WorkspaceEvent about) {
                touched.add(about.workspaceId());
            }
        }
        Map<WorkspaceId, Tracked> changed = new HashMap<>();
        for (Tracked tracked : replay.known().workspaces()) {
            WorkspaceId id = tracked.health().id();
            if (touched.remove(id) || all) {
                changed.put(id, tracked);
            }
        }
        Instant lastAt =
                tail.isEmpty() ? null : tail.get(tail.size() - 1).event().at();
        return new Recovery(replay.known(), number, lastAt, runs, changed, touched);
    }
}
