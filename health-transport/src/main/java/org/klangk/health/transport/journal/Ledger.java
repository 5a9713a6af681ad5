package org.klangk.health.transport.journal;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import org.jspecify.annotations.Nullable;
import org.klangk.health.event.Component;
import org.klangk.health.frame.Position;
import org.klangk.health.history.HistoryEntry;
import org.klangk.health.history.Recorder;
import org.klangk.health.history.ResultRun;
import org.klangk.health.journal.Epoch;
import org.klangk.health.journal.Opened;
import org.klangk.health.pipeline.Commit;
import org.klangk.health.pipeline.ComponentStatus;
import org.klangk.health.pipeline.Snapshot;
import org.klangk.health.pipeline.Step;
import org.klangk.health.pipeline.Tracked;
import org.klangk.health.transport.sql.Sql;
import org.klangk.health.workspace.WorkspaceId;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The writing side. Every event goes to the tail at once; every {@code checkpointEvery} events what changed since is written as
 * it is, runs of results become rows, and the tail begins anew. On the writing lane's thread only.
 */
final class Ledger {
    private static final Logger log = LoggerFactory.getLogger(Ledger.class);

    private final Path directory;
    private final int checkpointEvery;
    private final ConcurrentNavigableMap<Long, ResultRun> runs = new ConcurrentSkipListMap<>();
    private final Map<WorkspaceId, Tracked> changed = new HashMap<>();
    private final Set<WorkspaceId> removed = new HashSet<>();
    private final Map<Component, ComponentStatus> components = new EnumMap<>(Component.class);
    private Recorder recorder = new Recorder();
    private Position position = Position.NONE;
    private long oldest;
    private long number;
    private long checkpointed;
    private long bornAt;
    private @Nullable Instant lastAt;
    private boolean broken;
    private @Nullable HighWaterMark mark;

    Ledger(Path directory, int checkpointEvery) {
        this.directory = directory;
        this.checkpointEvery = checkpointEvery;
    }

    /** Runs of results that are not rows yet, or longer than their rows; may be read on any thread. */
    ConcurrentNavigableMap<Long, ResultRun> runs() {
        return runs;
    }

    Opened open(Connection connection, Instant now) throws SQLException, IOException {
        Meta meta = Meta.read(connection);
        Snapshot known = meta == null
                ? new Snapshot(new Position(Epoch.create(now), 0), List.of(), Map.of())
                : recover(connection, meta);
        position = known.position();
        boolean renewed = meta != null && !HighWaterMark.isReached(directory, position, number);
        if (renewed) {
            renew(connection, Epoch.create(now));
            known = new Snapshot(position, known.workspaces(), known.components());
        }
        long seen = Math.max(
                Sql.number(connection, "SELECT max(seen) FROM alive"), lastAt == null ? 0 : lastAt.toEpochMilli());
        bornAt = Math.max(now.toEpochMilli(), seen + 1);
        Sql.update(connection, "INSERT INTO alive VALUES (?, ?)", bornAt, bornAt);
        if (meta == null || renewed) {
            checkpoint(connection, List.of());
            settle();
        }
        connection.commit();
        mark = HighWaterMark.open(directory);
        tellMark();
        return new Opened(known, seen == 0 ? null : Instant.ofEpochMilli(seen));
    }

    private Snapshot recover(Connection connection, Meta meta) throws SQLException, IOException {
        Recovery recovery = Recovery.of(connection, meta);
        oldest = meta.oldest();
        checkpointed = meta.number();
        number = recovery.number();
        lastAt = recovery.lastAt();
        runs.putAll(recovery.runs());
        changed.putAll(recovery.changed());
        removed.addAll(recovery.removed());
        components.putAll(recovery.known().components());
        return recovery.known();
    }

    /** The log has another name from now on; what was told under the old one cannot be gone on from. */
    private void renew(Connection connection, String epoch) throws SQLException {
        position = new Position(epoch, position.rev());
        oldest = position.rev();
        Sql.update(connection, "DELETE FROM frame");
    }

    void append(Connection connection, Commit commit) throws SQLException {
        if (broken) {
            throw new JournalException("the journal in " + directory + " failed before and was not begun anew");
        }
        if (commit.steps().isEmpty()) {
            return;
        }
        boolean due = number + commit.steps().size() - checkpointed >= checkpointEvery;
        List<ResultRun> longer = new ArrayList<>();
        // Until it is committed, what is held here is ahead of the file, and only beginning anew would mend that.
        broken = true;
        transaction(connection, () -> {
            longer.addAll(write(connection, commit.steps()));
            Tables.addFrames(connection, commit.steps());
            remember(commit);
            if (due) {
                checkpoint(connection, longer);
            }
        });
        broken = false;
        if (due) {
            settle();
        } else {
            longer.forEach(run -> runs.put(run.id(), run));
        }
        tellMark();
    }

    private interface Work {
        void run() throws SQLException;
    }

    /** All or nothing. */
    private static void transaction(Connection connection, Work work) throws SQLException {
        try {
            work.run();
            connection.commit();
        } catch (SQLException | RuntimeException e) {
            rollback(connection, e);
            throw e;
        }
    }

    private static void rollback(Connection connection, Exception cause) {
        try {
            connection.rollback();
        } catch (SQLException ended) {
            // A full disk ends the transaction by itself. The driver does not know and has to be led to begin another.
            try {
                connection.setAutoCommit(true);
            } catch (SQLException nothingToCommit) {
                ended.addSuppressed(nothingToCommit);
            }
            try {
                connection.setAutoCommit(false);
            } catch (SQLException unusable) {
                cause.addSuppressed(unusable);
            }
        }
    }

    /** The events to the tail and their entries to the history, but for runs, which are given back. */
    private List<ResultRun> write(Connection connection, List<Step> steps) throws SQLException {
        Tables.addTail(connection, number + 1, steps);
        return history(connection, steps);
    }

    private List<ResultRun> history(Connection connection, List<Step> steps) throws SQLException {
        List<HistoryEntry> rows = new ArrayList<>();
        List<ResultRun> longer = new ArrayList<>();
        for (Step step : steps) {
            number++;
            for (HistoryEntry entry : recorder.record(number, step)) {
                if (entry instanceof ResultRun run) {
                    longer.add(run);
                } else {
                    rows.add(entry);
                }
            }
        }
        Tables.putEntries(connection, rows);
        return longer;
    }

    private void remember(Commit commit) {
        for (Tracked tracked : commit.removed()) {
            changed.remove(tracked.health().id());
            removed.add(tracked.health().id());
        }
        for (Tracked tracked : commit.changed()) {
            changed.put(tracked.health().id(), tracked);
            removed.remove(tracked.health().id());
        }
        components.putAll(commit.components());
        position = commit.position();
        lastAt = commit.steps().get(commit.steps().size() - 1).event().at();
    }

    private void checkpoint(Connection connection, List<ResultRun> longer) throws SQLException {
        Tables.putWorkspaces(connection, changed.values());
        Tables.removeWorkspaces(connection, removed);
        Tables.putComponents(connection, components);
        Tables.putEntries(connection, runs.values());
        Tables.putEntries(connection, longer);
        Sql.update(connection, "DELETE FROM tail");
        new Meta(position.epoch(), oldest, position.rev(), number).write(connection);
    }

    /** After a checkpoint is committed. */
    private void settle() {
        checkpointed = number;
        changed.clear();
        removed.clear();
        components.clear();
        runs.clear();
    }

    void restart(Connection connection, Snapshot known, List<Step> missed) throws SQLException {
        broken = true;
        transaction(connection, () -> {
            recorder = new Recorder();
            List<ResultRun> more = history(connection, missed);
            // Between what was missed and what comes, steady results were let go.
            recorder = new Recorder();
            position = known.position();
            renew(connection, known.position().epoch());
            Sql.update(connection, "DELETE FROM workspace");
            Sql.update(connection, "DELETE FROM component");
            changed.clear();
            removed.clear();
            known.workspaces().forEach(tracked -> changed.put(tracked.health().id(), tracked));
            components.putAll(known.components());
            checkpoint(connection, more);
        });
        settle();
        broken = false;
        tellMark();
    }

    void alive(Connection connection, Instant now) throws SQLException {
        if (!broken) {
            transaction(connection, () -> seen(connection, now));
        }
    }

    private void seen(Connection connection, Instant at) throws SQLException {
        Sql.update(connection, "UPDATE alive SET seen = max(seen, ?) WHERE since = ?", at.toEpochMilli(), bornAt);
    }

    /** Lets a part of what is too old go; whether there is more of it. */
    boolean compact(Connection connection, Compaction compaction, Instant now) throws SQLException {
        if (broken) {
            return false;
        }
        Meta meta = Meta.require(connection);
        List<Compaction.Done> done = new ArrayList<>();
        transaction(connection, () -> {
            done.add(compaction.step(connection, now, meta));
            new Meta(meta.epoch(), done.get(0).oldest(), meta.rev(), meta.number()).write(connection);
        });
        oldest = done.get(0).oldest();
        return done.get(0).more();
    }

    /** A mark that is behind costs nothing but that an older copy may pass for the journal. */
    private void tellMark() {
        HighWaterMark open = mark;
        if (open == null) {
            return;
        }
        try {
            open.set(new HighWaterMark.Mark(position.epoch(), position.rev(), number));
        } catch (IOException e) {
            log.warn("how far the journal in {} was written is not noted: {}", directory, e.toString());
        }
    }

    /** Leaves a checkpoint, so that the next start has nothing to fold. */
    void close(Connection connection) throws SQLException, IOException {
        if (!broken) {
            checkpoint(connection, List.of());
            if (lastAt != null) {
                seen(connection, lastAt);
            }
            connection.commit();
        }
        if (mark != null) {
            mark.close();
        }
    }
}
