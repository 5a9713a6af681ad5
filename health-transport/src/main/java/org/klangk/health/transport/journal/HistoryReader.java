package org.klangk.health.transport.journal;

import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.klangk.health.history.AliveSpan;
import org.klangk.health.history.HistoryEntry;
import org.klangk.health.history.HistoryKind;
import org.klangk.health.history.HistoryQuery;
import org.klangk.health.history.ResultRun;
import org.klangk.health.history.Transition;
import org.klangk.health.transport.sql.Sql;
import org.klangk.health.workspace.WorkspaceId;

/** Queries of the past. */
final class HistoryReader {
    private HistoryReader() {}

    /** Rows, and the runs that are not rows yet or longer than theirs. */
    static List<HistoryEntry> history(
            Connection connection, NavigableMap<Long, ResultRun> runs, WorkspaceId id, HistoryQuery query)
            throws SQLException, IOException {
        // The runs first: one that becomes a row in between is then found twice, and not missed.
        NavigableMap<Long, ResultRun> unwritten = new TreeMap<>();
        runs.forEach((number, run) -> {
            if (run.workspaceId().equals(id)) {
                unwritten.put(number, run);
            }
        });
        Long after = query.after();
        String kinds =
                query.kinds().stream().map(kind -> "'" + kind.wireName() + "'").collect(Collectors.joining(","));
        String rest =
                " AND id > ? AND kind IN (" + kinds + ") ORDER BY id " + (after == null ? "DESC" : "ASC") + " LIMIT ?";
        long from = after == null ? 0 : after;
        TreeMap<Long, HistoryEntry> found = new TreeMap<>();
        Sql.select(
                        connection,
                        Tables::entry,
                        "SELECT body FROM entry WHERE workspace = ?" + rest,
                        id.value(),
                        from,
                        query.limit())
                .forEach(entry -> found.put(entry.id(), entry));
        if (query.kinds().contains(HistoryKind.CLOCK) || query.kinds().contains(HistoryKind.MONITOR)) {
            Sql.select(
                            connection,
                            Tables::entry,
                            "SELECT body FROM entry WHERE workspace IS NULL" + rest,
                            from,
                            query.limit())
                    .forEach(entry -> found.put(entry.id(), entry));
        }
        if (query.kinds().contains(HistoryKind.RESULT)) {
            unwritten.tailMap(from, false).forEach((number, run) -> found.merge(number, run, HistoryReader::longer));
        }
        while (found.size() > query.limit()) {
            if (after == null) {
                found.pollFirstEntry();
            } else {
                found.pollLastEntry();
            }
        }
        return List.copyOf(found.values());
    }

    private static HistoryEntry longer(HistoryEntry row, HistoryEntry run) {
        return row instanceof ResultRun written && run instanceof ResultRun held && written.count() > held.count()
                ? row
                : run;
    }

    static List<Transition> transitions(Connection connection, WorkspaceId id, Instant from)
            throws SQLException, IOException {
        String select = "SELECT body FROM entry WHERE workspace = ? AND kind = 'transition' AND at ";
        List<HistoryEntry> found = new ArrayList<>(Sql.select(
                connection, Tables::entry, select + "< ? ORDER BY id DESC LIMIT 1", id.value(), from.toEpochMilli()));
        found.addAll(
                Sql.select(connection, Tables::entry, select + ">= ? ORDER BY id", id.value(), from.toEpochMilli()));
        return found.stream().map(Transition.class::cast).toList();
    }

    static List<AliveSpan> alive(Connection connection, Instant from) throws SQLException, IOException {
        return Sql.select(
                connection,
                row -> new AliveSpan(Instant.ofEpochMilli(row.getLong(1)), Instant.ofEpochMilli(row.getLong(2))),
                "SELECT since, seen FROM alive WHERE seen >= ? ORDER BY since",
                from.toEpochMilli());
    }
}
