package org.klangk.health.transport.journal;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Properties;
import org.klangk.health.transport.sql.Sql;

/** Opens the journal's file with the schema that this version knows. Blocks. */
final class Database {
    /** The schema of this version; {@code schema-N.sql} makes version N of version N - 1. */
    static final int VERSION = 1;

    private Database() {}

    /**
     * A connection that writes; the schema is brought to this version.
     *
     * @throws JournalException when the file is of a later version or no journal
     */
    static Connection write(Path file) {
        try {
            Connection connection = connect(file, "PRAGMA synchronous = FULL");
            try {
                migrate(file, connection);
                connection.setAutoCommit(false);
                return connection;
            } catch (SQLException | IOException | RuntimeException e) {
                connection.close();
                throw e;
            }
        } catch (SQLException | IOException e) {
            throw unusable(file, e);
        }
    }

    /** A connection that only reads. */
    static Connection read(Path file) {
        try {
            return connect(file, "PRAGMA query_only = true");
        } catch (SQLException e) {
            throw unusable(file, e);
        }
    }

    private static JournalException unusable(Path file, Exception e) {
        return new JournalException(
                file + " cannot be used as journal: " + e.getMessage() + " (klangkd restore brings back a backup)", e);
    }

    /** A connection to a file as it is. */
    static Connection connect(Path file) throws SQLException {
        Properties properties = new Properties();
        properties.setProperty("busy_timeout", "10000");
        return DriverManager.getConnection("jdbc:sqlite:" + file, properties);
    }

    private static Connection connect(Path file, String pragma) throws SQLException {
        Connection connection = connect(file);
        try (Statement statement = connection.createStatement()) {
            statement.execute("PRAGMA auto_vacuum = INCREMENTAL");
            statement.execute("PRAGMA journal_mode = WAL");
            statement.execute("PRAGMA journal_size_limit = 67108864");
            statement.execute(pragma);
        } catch (SQLException e) {
            connection.close();
            throw e;
        }
        return connection;
    }

    private static void migrate(Path file, Connection connection) throws SQLException, IOException {
        for (int next = requireKnown(file, connection) + 1; next <= VERSION; next++) {
            connection.setAutoCommit(false);
            try (Statement statement = connection.createStatement()) {
                statement.executeUpdate(script(next));
                statement.execute("PRAGMA user_version = " + next);
            }
            connection.commit();
            connection.setAutoCommit(true);
        }
    }

    /** The schema's version; a later one than this is refused. */
    static int requireKnown(Path file, Connection connection) throws SQLException {
        int version = (int) Sql.number(connection, "PRAGMA user_version");
        if (version > VERSION) {
            throw new JournalException(file + " was written by a later version (schema " + version
                    + "); this one knows schemas up to " + VERSION);
        }
        return version;
    }

    private static String script(int version) throws IOException {
        try (InputStream in = Database.class.getResourceAsStream("schema-" + version + ".sql")) {
            if (in == null) {
                throw new IOException("no schema " + version);
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
