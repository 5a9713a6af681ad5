package org.klangk.health.transport.journal;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.klangk.health.transport.sql.Sql;

/** Copies of a journal: made while it is in use, put in its place while it is not. Blocks. */
public final class Backup {
    private static final List<String> FILES = List.of("journal.db", "journal.db-wal", "journal.db-shm", "journal.mark");
    private static final DateTimeFormatter STAMP =
            DateTimeFormatter.ofPattern("uuuuMMdd'T'HHmmss'Z'", Locale.ROOT).withZone(ZoneOffset.UTC);

    private Backup() {}

    /**
     * Writes all that the journal of {@code directory} has to {@code copy}, which must not be there yet; a server may go on
     * writing meanwhile.
     *
     * @throws JournalException when there is no journal, or it cannot be copied
     */
    public static void make(Path directory, Path copy) {
        Path file = DataDirectory.file(directory);
        if (!Files.exists(file)) {
            throw new JournalException(directory + " has no journal");
        }
        if (Files.exists(copy)) {
            throw new JournalException(copy + " is there already; the name of a new file is accepted");
        }
        try {
            Files.createFile(copy, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
            try (Connection connection = Database.connect(file)) {
                Sql.update(connection, "VACUUM INTO ?", copy.toString());
            }
        } catch (IOException | SQLException e) {
            throw new JournalException(directory + " cannot be copied to " + copy + ": " + e.getMessage(), e);
        }
    }

    /**
     * Puts {@code copy} in the place of the journal of {@code directory}. The log has another name from then on, so that nobody
     * goes back in time unawares.
     *
     * @return where what was there before was moved to; null when nothing was
     * @throws JournalException when a server uses the directory, or {@code copy} is no sound journal; then nothing was changed
     */
    public static @Nullable Path restore(Path directory, Path copy, Instant now) {
        check(copy);
        try (DataDirectory taken = DataDirectory.take(directory)) {
            Path next = taken.path().resolve("journal.db.restored");
            Files.copy(copy, next, StandardCopyOption.REPLACE_EXISTING);
            DataDirectory.makePrivate(next);
            Path aside = moveAside(directory, now);
            Files.move(next, DataDirectory.file(directory), StandardCopyOption.ATOMIC_MOVE);
            return aside;
        } catch (IOException e) {
            throw new JournalException(copy + " cannot be put into " + directory + ": " + e, e);
        }
    }

    private static @Nullable Path moveAside(Path directory, Instant now) throws IOException {
        if (!Files.exists(DataDirectory.file(directory))) {
            Files.deleteIfExists(directory.resolve("journal.mark"));
            return null;
        }
        Path aside = directory.resolve("before-restore-" + STAMP.format(now));
        Files.createDirectory(
                aside, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        for (String name : FILES) {
            if (Files.exists(directory.resolve(name))) {
                Files.move(directory.resolve(name), aside.resolve(name));
            }
        }
        return aside;
    }

    private static void check(Path copy) {
        if (!Files.isRegularFile(copy)) {
            throw new JournalException(copy + " is no file");
        }
        try (Connection connection = Database.connect(copy)) {
            Database.requireKnown(copy, connection);
            String found = Sql.select(connection, row -> row.getString(1), "PRAGMA integrity_check")
                    .get(0);
            if (!found.equals("ok")) {
                throw new JournalException(copy + " is damaged: " + found);
            }
            Meta.require(connection);
        } catch (IOException | SQLException e) {
            throw new JournalException(copy + " is no journal: " + e.getMessage(), e);
        }
    }
}
