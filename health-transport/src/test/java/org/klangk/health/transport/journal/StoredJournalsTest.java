package org.klangk.health.transport.journal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.klangk.health.frame.LoggedFrame;
import org.klangk.health.history.HistoryEntry;
import org.klangk.health.history.HistoryQuery;
import org.klangk.health.journal.Journal;
import org.klangk.health.journal.Opened;
import org.klangk.health.pipeline.Tracked;
import org.klangk.health.policy.Streak;
import org.klangk.health.testing.Story;
import org.klangk.health.workspace.WorkspaceId;

/**
 * Journals as earlier versions left them, with a tail to fold, as SQL: {@code journal-N.sql}, and {@code journal-N.txt} says what
 * they know. Neither is ever changed; a new schema gets files of its own.
 */
class StoredJournalsTest {
    private static final Duration LONG = Duration.ofSeconds(20);

    @TempDir
    private Path temp;

    private static String resource(String name) throws IOException {
        try (InputStream in = StoredJournalsTest.class.getResourceAsStream(name)) {
            return new String(Objects.requireNonNull(in, name).readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = 1)
    void a_journal_of_an_earlier_version_knows_the_same(int schema) throws IOException, SQLException {
        Files.createDirectories(temp);
        try (Connection connection = Database.connect(DataDirectory.file(temp));
                Statement statement = connection.createStatement()) {
            statement.executeUpdate(resource("journal-" + schema + ".sql"));
        }
        Files.writeString(temp.resolve("journal.mark"), resource("journal-" + schema + ".mark"));
        Journal journal = SqliteJournal.in(temp, Retention.standard());
        Opened opened = Objects.requireNonNull(
                journal.open(Story.T0.plus(Duration.ofDays(1))).block(LONG));
        List<String> lines = new ArrayList<>();
        lines.add("position " + opened.known().position());
        opened.known().components().forEach((component, status) -> lines.add(component + " " + status));
        opened.known().workspaces().stream()
                .sorted(Comparator.comparing(tracked -> tracked.health().id()))
                .forEach(tracked -> lines.add(words(tracked)));
        for (String id : List.of("w1", "w2")) {
            for (HistoryEntry entry :
                    Objects.requireNonNull(journal.history(new WorkspaceId(id), HistoryQuery.latest(1_000))
                            .block(LONG))) {
                lines.add(entry.id() + " " + entry.at() + " " + entry.kind() + " " + entry.rev());
            }
        }
        for (LoggedFrame frame :
                Objects.requireNonNull(journal.frames(0, 1_000).block(LONG)).frames()) {
            lines.add(frame.position().rev() + " " + frame.type() + " " + frame.workspaceId());
        }
        journal.close().block(LONG);
        assertThat(lines)
                .isEqualTo(resource("journal-" + schema + ".txt").lines().toList());
    }

    private static String words(Tracked tracked) {
        var health = tracked.health();
        Streak streak = health.verdict().streak();
        return health.id() + " " + health.workspace().name() + " " + health.shown() + " healthy "
                + health.verdict().healthy() + " checked " + health.verdict().checkedAt() + " streak " + streak.count()
                + " incarnation " + health.container().incarnation() + " grace until " + health.graceUntil() + " seq "
                + tracked.told().seq() + " rev " + tracked.told().rev();
    }
}
