package org.klangk.health.transport.journal;

import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.klangk.health.event.Component;
import org.klangk.health.event.HealthEvent;
import org.klangk.health.frame.Frame;
import org.klangk.health.frame.LoggedFrame;
import org.klangk.health.frame.Position;
import org.klangk.health.history.HistoryEntry;
import org.klangk.health.pipeline.ComponentStatus;
import org.klangk.health.pipeline.Snapshot;
import org.klangk.health.pipeline.Step;
import org.klangk.health.pipeline.Tracked;
import org.klangk.health.transport.sql.Sql;
import org.klangk.health.transport.wire.FrameJson;
import org.klangk.health.transport.wire.FrameReader;
import org.klangk.health.transport.wire.StoredJson;
import org.klangk.health.workspace.WorkspaceId;

/** The tables' rows: writing and reading them, within the transaction of the caller. */
final class Tables {
    private static final ObjectReader TREE = new JsonMapper().reader();

    private Tables() {}

    /** The events of steps, the first of them with {@code number}. */
    static void addTail(Connection connection, long number, List<Step> steps) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement("INSERT INTO tail VALUES (?, ?)")) {
            long next = number;
            for (Step step : steps) {
                insert.setLong(1, next++);
                insert.setBytes(2, StoredJson.encode(step.event()));
                insert.addBatch();
            }
            insert.executeBatch();
        }
    }

    static void addFrames(Connection connection, List<Step> steps) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement("INSERT INTO frame VALUES (?, ?, ?)")) {
            for (Step step : steps) {
                for (LoggedFrame frame : step.frames()) {
                    insert.setLong(1, frame.position().rev());
                    insert.setLong(2, step.event().at().toEpochMilli());
                    insert.setBytes(3, FrameJson.encodeKept(frame));
                    insert.addBatch();
                }
            }
            insert.executeBatch();
        }
    }

    /** Entries that are new, or that replace what has their number. */
    static void putEntries(Connection connection, Collection<? extends HistoryEntry> entries) throws SQLException {
        if (entries.isEmpty()) {
            return;
        }
        try (PreparedStatement put =
                connection.prepareStatement("INSERT OR REPLACE INTO entry VALUES (?, ?, ?, ?, ?, ?)")) {
            for (HistoryEntry entry : entries) {
                WorkspaceId id = entry.workspaceId();
                put.setLong(1, entry.id());
                put.setString(2, id == null ? null : id.value());
                put.setString(3, entry.kind().wireName());
                put.setLong(4, entry.at().toEpochMilli());
                put.setLong(5, entry.until().toEpochMilli());
                put.setBytes(6, StoredJson.encode(entry));
                put.addBatch();
            }
            put.executeBatch();
        }
    }

    static void putWorkspaces(Connection connection, Collection<Tracked> workspaces) throws SQLException {
        try (PreparedStatement put = connection.prepareStatement("INSERT OR REPLACE INTO workspace VALUES (?, ?)")) {
            for (Tracked tracked : workspaces) {
                put.setString(1, tracked.health().id().value());
                put.setBytes(2, StoredJson.encode(tracked));
                put.addBatch();
            }
            put.executeBatch();
        }
    }

    static void removeWorkspaces(Connection connection, Collection<WorkspaceId> workspaces) throws SQLException {
        for (WorkspaceId id : workspaces) {
            Sql.update(connection, "DELETE FROM workspace WHERE id = ?", id.value());
        }
    }

    static void putComponents(Connection connection, Map<Component, ComponentStatus> components) throws SQLException {
        for (Map.Entry<Component, ComponentStatus> one : components.entrySet()) {
            Sql.update(
                    connection,
                    "INSERT OR REPLACE INTO component VALUES (?, ?)",
                    one.getKey().name(),
                    StoredJson.encode(one.getValue()));
        }
    }

    /** The checkpoint. */
    static Snapshot checkpoint(Connection connection, Position position) throws SQLException, IOException {
        List<Tracked> workspaces =
                decoded(Sql.select(connection, row -> row.getBytes(1), "SELECT body FROM workspace"), Tracked.class);
        Map<Component, ComponentStatus> components = new EnumMap<>(Component.class);
        Sql.select(
                        connection,
                        row -> Map.entry(
                                Component.valueOf(row.getString(1)),
                                StoredJson.decode(row.getBytes(2), ComponentStatus.class)),
                        "SELECT name, body FROM component")
                .forEach(entry -> components.put(entry.getKey(), entry.getValue()));
        return new Snapshot(position, workspaces, Map.copyOf(components));
    }

    /**
     * An event after the checkpoint.
     *
     * @param number its number
     */
    record TailEvent(long number, HealthEvent event) {}

    static List<TailEvent> tail(Connection connection) throws SQLException, IOException {
        List<Long> numbers = Sql.select(connection, row -> row.getLong(1), "SELECT number FROM tail ORDER BY number");
        List<HealthEvent> events = decoded(
                Sql.select(connection, row -> row.getBytes(1), "SELECT body FROM tail ORDER BY number"),
                HealthEvent.class);
        List<TailEvent> tail = new ArrayList<>(numbers.size());
        for (int i = 0; i < numbers.size(); i++) {
            tail.add(new TailEvent(numbers.get(i), events.get(i)));
        }
        return tail;
    }

    /** Reading bodies is most of a start, and each is read by itself: all cores do it. */
    private static <T> List<T> decoded(List<byte[]> bodies, Class<T> type) throws IOException {
        try {
            return bodies.parallelStream()
                    .map(body -> {
                        try {
                            return StoredJson.decode(body, type);
                        } catch (IOException e) {
                            throw new UncheckedIOException(e);
                        }
                    })
                    .toList();
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    static List<LoggedFrame> frames(Connection connection, long rev, int limit) throws SQLException, IOException {
        return Sql.select(
                connection,
                row -> frame(row.getBytes(1)),
                "SELECT body FROM frame WHERE rev > ? ORDER BY rev LIMIT ?",
                rev,
                limit);
    }

    private static LoggedFrame frame(byte[] body) throws IOException {
        Optional<Frame> frame = FrameReader.read(TREE.readTree(body));
        if (frame.isPresent() && frame.get() instanceof LoggedFrame logged) {
            return logged;
        }
        throw new IOException("a stored frame is of a type that this version does not know");
    }

    /** The entry in the first column. */
    static HistoryEntry entry(ResultSet row) throws SQLException, IOException {
        return StoredJson.decode(row.getBytes(1), HistoryEntry.class);
    }
}
