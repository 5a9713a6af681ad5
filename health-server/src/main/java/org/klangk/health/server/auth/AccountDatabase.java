package org.klangk.health.server.auth;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Properties;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.klangk.health.transport.sql.Sql;

/** The accounts' file: opened with the schema that this version knows, asked and changed a statement at a time. Blocks. */
final class AccountDatabase implements AutoCloseable {
    private static final int VERSION = 1;
    private static final Set<PosixFilePermission> PRIVATE = PosixFilePermissions.fromString("rw-------");

    private final Connection connection;

    private AccountDatabase(Connection connection) {
        this.connection = connection;
    }

    static AccountDatabase open(Path file) {
        try {
            try {
                Files.createFile(file, PosixFilePermissions.asFileAttribute(PRIVATE));
            } catch (FileAlreadyExistsException e) {
                Files.setPosixFilePermissions(file, PRIVATE);
            }
            Properties properties = new Properties();
            properties.setProperty("busy_timeout", "10000");
            properties.setProperty("foreign_keys", "true");
            properties.setProperty("journal_mode", "WAL");
            properties.setProperty("synchronous", "FULL");
            properties.setProperty("transaction_mode", "IMMEDIATE");
            Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file, properties);
            try {
                migrate(file, connection);
                return new AccountDatabase(connection);
            } catch (SQLException | IOException | RuntimeException e) {
                connection.close();
                throw e;
            }
        } catch (SQLException | IOException e) {
            throw new AccountException(file + " cannot be used: " + e.getMessage(), e);
        }
    }

    private static void migrate(Path file, Connection connection) throws SQLException, IOException {
        connection.setAutoCommit(false);
        try (Statement statement = connection.createStatement()) {
            // The write lock first, so that of two that find no table only one makes them.
            long version = Sql.number(connection, "PRAGMA user_version");
            if (version > VERSION) {
                throw new AccountException(file + " was written by a later version (" + version + ")");
            }
            if (version < VERSION) {
                statement.executeUpdate(schema());
                statement.execute("PRAGMA user_version = " + VERSION);
            }
            connection.commit();
        } finally {
            connection.setAutoCommit(true);
        }
    }

    private static String schema() throws IOException {
        try (InputStream in = AccountDatabase.class.getResourceAsStream("accounts-" + VERSION + ".sql")) {
            if (in == null) {
                throw new IOException("no schema");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private interface Work<T> {
        T run() throws SQLException, IOException;
    }

    private static <T> T attempt(Work<T> work) {
        try {
            return work.run();
        } catch (SQLException | IOException e) {
            throw new AccountException("the accounts cannot be read or written: " + e.getMessage(), e);
        }
    }

    int update(String statement, @Nullable Object... values) {
        return attempt(() -> Sql.update(connection, statement, values));
    }

    /** Does all of it, or nothing. */
    void together(Runnable work) {
        attempt(() -> {
            connection.setAutoCommit(false);
            try {
                work.run();
                connection.commit();
            } catch (SQLException | RuntimeException e) {
                connection.rollback();
                throw e;
            } finally {
                connection.setAutoCommit(true);
            }
            return true;
        });
    }

    <T> List<T> select(Sql.Row<T> row, String query, Object... values) {
        return attempt(() -> Sql.select(connection, row, query, values));
    }

    @Override
    public void close() {
        attempt(() -> {
            connection.close();
            return true;
        });
    }
}
