package org.klangk.health.transport.sql;

import java.io.IOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One statement with its values, run and closed. Blocks; a connection is one thread's at a time. */
public final class Sql {
    private Sql() {}

    /** Something that is read out of a row. */
    public interface Row<T> {
        /** Reads the row that {@code row} is at. */
        T read(ResultSet row) throws SQLException, IOException;
    }

    /** Every row that a query answers, in its order. */
    public static <T> List<T> select(Connection connection, Row<T> row, String query, @Nullable Object... values)
            throws SQLException, IOException {
        try (PreparedStatement select = prepare(connection, query, values)) {
            List<T> found = new ArrayList<>();
            try (ResultSet rows = select.executeQuery()) {
                while (rows.next()) {
                    found.add(row.read(rows));
                }
            }
            return found;
        }
    }

    /** The number that a query answers; 0 when it answers none. */
    public static long number(Connection connection, String query, @Nullable Object... values) throws SQLException {
        try (PreparedStatement select = prepare(connection, query, values);
                ResultSet answer = select.executeQuery()) {
            return answer.next() ? answer.getLong(1) : 0;
        }
    }

    /** How many rows a statement changed. */
    public static int update(Connection connection, String statement, @Nullable Object... values) throws SQLException {
        try (PreparedStatement update = prepare(connection, statement, values)) {
            return update.executeUpdate();
        }
    }

    private static PreparedStatement prepare(Connection connection, String text, @Nullable Object... values)
            throws SQLException {
        PreparedStatement statement = connection.prepareStatement(text);
        try {
            for (int i = 0; i < values.length; i++) {
                statement.setObject(i + 1, values[i]);
            }
            return statement;
        } catch (SQLException | RuntimeException e) {
            statement.close();
            throw e;
        }
    }
}
