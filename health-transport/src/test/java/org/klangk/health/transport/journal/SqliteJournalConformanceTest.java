package org.klangk.health.transport.journal;

import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.klangk.health.journal.Journal;
import org.klangk.health.journal.JournalConformance;

/** With a checkpoint so often that everything happens on both sides of one. */
class SqliteJournalConformanceTest extends JournalConformance {
    @TempDir
    private Path directory;

    @Override
    protected Journal create() {
        return SqliteJournal.in(directory.resolve("data"), Retention.standard(), 3);
    }
}
