package org.klangk.health.transport.journal;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import org.klangk.health.transport.sql.Sql;

/**
 * Lets go what is too old, or too much, a bounded part at a time and each part in one transaction: who reads meanwhile reads what
 * was there when they began.
 *
 * @param retention how long what is kept
 * @param rows how many rows of a table go at once, at most
 */
record Compaction(Retention retention, int rows) {
    private static final int SPARE_PAGES = 64;
    private static final int GIVEN_BACK_AT_ONCE = 2_000;

    /**
     * What a step did.
     *
     * @param oldest frames after this rev are still there
     * @param more whether another step has something to do
     */
    record Done(long oldest, boolean more) {}

    /** One step, within the transaction of the caller. */
    Done step(Connection connection, Instant now, Meta meta) throws SQLException {
        long aged = now.minus(retention.history()).toEpochMilli();
        int results = results(connection, now.minus(retention.results()).toEpochMilli());
        int others = others(connection, aged);
        long oldest = frames(connection, aged, meta);
        Sql.update(connection, "DELETE FROM alive WHERE seen < ?", aged);
        boolean pressed = used(connection) > retention.maxBytes();
        if (pressed) {
            results += results(connection, Long.MAX_VALUE);
            if (results == 0) {
                others += others(connection, Long.MAX_VALUE);
                oldest = frames(connection, Long.MAX_VALUE, meta);
            }
        }
        giveBack(connection);
        boolean reduced = results > 0 || others > 0 || oldest > meta.oldest();
        return new Done(oldest, reduced && (pressed || results >= rows || others >= rows));
    }

    private int results(Connection connection, long before) throws SQLException {
        return Sql.update(
                connection,
                "DELETE FROM entry WHERE id IN"
                        + " (SELECT id FROM entry WHERE kind = 'result' AND until < ? ORDER BY until LIMIT ?)",
                before,
                rows);
    }

    private int others(Connection connection, long before) throws SQLException {
        return Sql.update(
                connection,
                "DELETE FROM entry WHERE id IN"
                        + " (SELECT id FROM entry WHERE kind <> 'result' AND at < ? ORDER BY at LIMIT ?)",
                before,
                rows);
    }

    /** Frames that the checkpoint does not contain are needed at the next start. */
    private long frames(Connection connection, long before, Meta meta) throws SQLException {
        long last = Sql.number(
                connection,
                "SELECT max(rev) FROM (SELECT rev, at FROM frame WHERE rev <= ? ORDER BY rev LIMIT ?) WHERE at < ?",
                meta.rev(),
                rows,
                before);
        Sql.update(connection, "DELETE FROM frame WHERE rev <= ?", last);
        return Math.max(meta.oldest(), last);
    }

    private static long used(Connection connection) throws SQLException {
        long pages = Sql.number(connection, "PRAGMA page_count") - Sql.number(connection, "PRAGMA freelist_count");
        return pages * Sql.number(connection, "PRAGMA page_size");
    }

    private static void giveBack(Connection connection) throws SQLException {
        if (Sql.number(connection, "PRAGMA freelist_count") > SPARE_PAGES) {
            try (Statement statement = connection.createStatement()) {
                // Not as a query: it has a row for each page, and none of them a column.
                statement.executeUpdate("PRAGMA incremental_vacuum(" + GIVEN_BACK_AT_ONCE + ")");
            }
        }
    }

    /** How often to look. */
    static final Duration PERIOD = Duration.ofHours(1);
}
