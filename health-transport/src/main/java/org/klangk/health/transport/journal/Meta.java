package org.klangk.health.transport.journal;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * Where the log is.
 *
 * @param epoch its identity
 * @param oldest frames after this rev can be read
 * @param rev the last frame that the checkpoint contains
 * @param number the last event that the checkpoint contains
 */
record Meta(String epoch, long oldest, long rev, long number) {

    /** As it is stored; null in a new journal. */
    static @Nullable Meta read(Connection connection) throws SQLException {
        String epoch = get(connection, "epoch");
        return epoch == null
                ? null
                : new Meta(
                        epoch, number(connection, "oldest"), number(connection, "rev"), number(connection, "number"));
    }

    /** As it is stored, in a journal that was opened. */
    static Meta require(Connection connection) throws SQLException {
        Meta meta = read(connection);
        if (meta == null) {
            throw new SQLException("the journal has no epoch");
        }
        return meta;
    }

    void write(Connection connection) throws SQLException {
        try (PreparedStatement put = connection.prepareStatement("INSERT OR REPLACE INTO meta VALUES (?, ?)")) {
            put(put, "epoch", epoch);
            put(put, "oldest", Long.toString(oldest));
            put(put, "rev", Long.toString(rev));
            put(put, "number", Long.toString(number));
            put.executeBatch();
        }
    }

    private static void put(PreparedStatement put, String name, String value) throws SQLException {
        put.setString(1, name);
        put.setString(2, value);
        put.addBatch();
    }

    private static long number(Connection connection, String name) throws SQLException {
        String value = get(connection, name);
        return value == null ? 0 : Long.parseLong(value);
    }

    private static @Nullable String get(Connection connection, String name) throws SQLException {
        try (PreparedStatement get = connection.prepareStatement("SELECT value FROM meta WHERE name = ?")) {
            get.setString(1, name);
            try (ResultSet answer = get.executeQuery()) {
                return answer.next() ? answer.getString(1) : null;
            }
        }
    }
}
