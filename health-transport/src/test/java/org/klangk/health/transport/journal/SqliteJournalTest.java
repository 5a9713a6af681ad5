package org.klangk.health.transport.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.klangk.health.event.CheckCompleted;
import org.klangk.health.event.HealthEvent;
import org.klangk.health.history.HistoryEntry;
import org.klangk.health.history.HistoryKind;
import org.klangk.health.history.HistoryQuery;
import org.klangk.health.history.ResultRun;
import org.klangk.health.journal.FramePage;
import org.klangk.health.journal.Journal;
import org.klangk.health.journal.Opened;
import org.klangk.health.pipeline.Commit;
import org.klangk.health.pipeline.Snapshot;
import org.klangk.health.pipeline.Tracked;
import org.klangk.health.testing.Commits;
import org.klangk.health.testing.RandomHistory;
import org.klangk.health.testing.Story;
import reactor.core.publisher.Mono;

/** What a journal on disk does that one in memory cannot. */
@Tag("long")
class SqliteJournalTest {
    private static final Duration LONG = Duration.ofSeconds(20);
    private static final int CHECKPOINT = 7;
    private static final int LENGTH = 60;

    @TempDir
    private Path temp;

    private static <T> T get(Mono<T> mono) {
        return Objects.requireNonNull(mono.block(LONG));
    }

    private static Journal journal(Path directory) {
        return SqliteJournal.in(directory, Retention.standard(), CHECKPOINT);
    }

    /** What the disk would hold were the process killed now, and the machine not. */
    private Path killed(Path directory, String name) throws IOException {
        Path copy = temp.resolve(name);
        Files.createDirectories(copy);
        try (Stream<Path> files = Files.list(directory)) {
            for (Path file : files.toList()) {
                Files.copy(file, copy.resolve(file.getFileName().toString()), StandardCopyOption.REPLACE_EXISTING);
            }
        }
        return copy;
    }

    private static void same(Snapshot known, Commits commits, String what) {
        Comparator<Tracked> byId =
                Comparator.comparing(tracked -> tracked.health().id());
        assertThat(known.position()).as(what).isEqualTo(commits.position());
        assertThat(known.workspaces().stream().sorted(byId).toList())
                .as(what)
                .isEqualTo(commits.known().workspaces().stream().sorted(byId).toList());
        assertThat(known.components()).as(what).isEqualTo(commits.known().components());
    }

    /** Appends a history, one event or a few to a commit. */
    private static void append(Journal journal, Commits commits, List<HealthEvent> events, long seed) {
        Random random = new Random(seed);
        for (int i = 0; i < events.size(); ) {
            int together = Math.min(events.size() - i, 1 + random.nextInt(3));
            journal.append(commits.of(events.subList(i, i + together))).block(LONG);
            i += together;
        }
    }

    @Test
    void after_a_kill_at_any_time_it_knows_all_that_was_appended() throws IOException {
        for (long seed = 0; seed < 25; seed++) {
            Path directory = temp.resolve("kill-" + seed);
            Journal first = journal(directory);
            Commits commits =
                    new Commits(get(first.open(Story.T0)).known().position().epoch());
            int end = 1 + new Random(seed).nextInt(LENGTH);
            append(first, commits, RandomHistory.of(seed, LENGTH).subList(0, end), seed);
            Journal second = journal(killed(directory, "killed-" + seed));
            Opened opened = get(second.open(Story.T0.plusSeconds(3_600)));
            same(opened.known(), commits, "seed " + seed);
            Instant last = RandomHistory.of(seed, LENGTH).get(end - 1).at();
            assertThat(opened.lastAlive()).isBetween(Story.T0, last);
            append(second, commits, RandomHistory.of(seed, LENGTH).subList(end, LENGTH), seed);
            second.close().block(LONG);
            Journal third = journal(temp.resolve("killed-" + seed));
            same(get(third.open(Story.T0.plusSeconds(7_200))).known(), commits, "seed " + seed + " closed");
            third.close().block(LONG);
            first.close().block(LONG);
        }
    }

    @Test
    void runs_of_results_survive_a_kill_and_no_result_is_counted_twice() throws IOException {
        for (long seed = 0; seed < 10; seed++) {
            Path directory = temp.resolve("runs-" + seed);
            Journal first = journal(directory);
            Commits commits =
                    new Commits(get(first.open(Story.T0)).known().position().epoch());
            List<HealthEvent> events = RandomHistory.of(seed, LENGTH);
            append(first, commits, events, seed);
            Journal second = journal(killed(directory, "runs-killed-" + seed));
            get(second.open(Story.T0.plusSeconds(3_600)));
            long results =
                    events.stream().filter(CheckCompleted.class::isInstance).count();
            assertThat(results(second)).isEqualTo(results(first)).isEqualTo(results);
            assertThat(get(second.history(Story.ID, HistoryQuery.latest(1_000))))
                    .extracting(HistoryEntry::id)
                    .isSorted()
                    .doesNotHaveDuplicates();
            second.close().block(LONG);
            first.close().block(LONG);
        }
    }

    private static long results(Journal journal) {
        return get(journal.history(Story.ID, new HistoryQuery(null, 1_000, Set.of(HistoryKind.RESULT)))).stream()
                .mapToLong(entry -> ((ResultRun) entry).count())
                .sum();
    }

    @Test
    void a_log_cut_anywhere_in_its_last_commits_starts_with_everything_before_and_under_another_name()
            throws IOException {
        Path directory = temp.resolve("whole");
        Journal journal = SqliteJournal.in(directory, Retention.standard(), 1_000);
        Commits commits =
                new Commits(get(journal.open(Story.T0)).known().position().epoch());
        List<HealthEvent> events = RandomHistory.of(3, LENGTH);
        List<Snapshot> states = new ArrayList<>();
        long begin = 0;
        for (int i = 0; i < events.size(); i++) {
            if (i == events.size() - 3) {
                begin = Files.size(directory.resolve("journal.db-wal"));
            }
            journal.append(commits.of(events.get(i))).block(LONG);
            states.add(commits.known());
        }
        Path whole = killed(directory, "copy");
        journal.close().block(LONG);
        long end = Files.size(whole.resolve("journal.db-wal"));
        assertThat(end).isGreaterThan(begin);
        int shorter = 0;
        for (long cut = begin; cut < end; cut += cut % 4_096 < 64 ? 1 : 97) {
            Path torn = killed(whole, "torn");
            try (RandomAccessFile wal =
                    new RandomAccessFile(torn.resolve("journal.db-wal").toFile(), "rw")) {
                wal.setLength(cut);
            }
            Journal again = journal(torn);
            Snapshot known = get(again.open(Story.T0.plusSeconds(60))).known();
            long at = cut;
            assertThat(states.subList(states.size() - 4, states.size()))
                    .as("cut at %d", cut)
                    .anySatisfy(state -> {
                        assertThat(known.workspaces()).isEqualTo(state.workspaces());
                        assertThat(known.position().rev())
                                .as("cut at %d", at)
                                .isEqualTo(state.position().rev());
                    });
            assertThat(known.position().epoch())
                    .as("cut at %d", cut)
                    .isNotEqualTo(commits.position().epoch());
            shorter++;
            again.close().block(LONG);
        }
        assertThat(shorter).isGreaterThan(100);
    }

    @Test
    void an_older_copy_in_its_place_is_another_log() throws IOException {
        Path directory = temp.resolve("data");
        Journal first = journal(directory);
        Commits commits =
                new Commits(get(first.open(Story.T0)).known().position().epoch());
        List<HealthEvent> events = RandomHistory.of(5, LENGTH);
        append(first, commits, events.subList(0, 30), 5);
        first.close().block(LONG);
        Path old = killed(directory, "old");
        Journal second = journal(directory);
        Opened same = get(second.open(Story.T0.plusSeconds(60)));
        assertThat(same.known().position()).isEqualTo(commits.position());
        Snapshot then = commits.known();
        append(second, commits, events.subList(30, LENGTH), 5);
        second.close().block(LONG);
        Files.copy(DataDirectory.file(old), DataDirectory.file(directory), StandardCopyOption.REPLACE_EXISTING);
        Journal third = journal(directory);
        Opened restored = get(third.open(Story.T0.plusSeconds(120)));
        assertThat(restored.known().workspaces()).isEqualTo(then.workspaces());
        assertThat(restored.known().position().rev()).isEqualTo(then.position().rev());
        assertThat(restored.known().position().epoch())
                .isNotEqualTo(commits.position().epoch());
        FramePage page = get(third.frames(0, 10));
        assertThat(page.compacted()).isTrue();
        third.close().block(LONG);
        Journal fourth = journal(directory);
        assertThat(get(fourth.open(Story.T0.plusSeconds(180))).known().position())
                .isEqualTo(restored.known().position());
        fourth.close().block(LONG);
    }

    @Test
    void a_copy_is_made_while_it_is_in_use_and_put_back_under_another_name() throws IOException {
        Path directory = temp.resolve("data");
        Path copy = temp.resolve("copy.db");
        Journal first = journal(directory);
        Commits commits =
                new Commits(get(first.open(Story.T0)).known().position().epoch());
        List<HealthEvent> events = RandomHistory.of(5, LENGTH);
        append(first, commits, events.subList(0, 30), 5);
        Snapshot then = commits.known();
        Backup.make(directory, copy);
        append(first, commits, events.subList(30, LENGTH), 5);
        assertThatThrownBy(() -> Backup.make(directory, copy)).hasMessageContaining("is there already");
        assertThatThrownBy(() -> Backup.restore(directory, copy, Story.T0))
                .hasMessageContaining("is in use by another");
        first.close().block(LONG);
        Path letter = Files.writeString(temp.resolve("letter"), "Dear journal, ".repeat(100));
        assertThatThrownBy(() -> Backup.restore(directory, letter, Story.T0)).hasMessageContaining("is no journal");
        assertThatThrownBy(() -> Backup.restore(directory, temp.resolve("none"), Story.T0))
                .hasMessageContaining("is no file");
        Path aside = Objects.requireNonNull(Backup.restore(directory, copy, Story.T0));
        assertThat(aside).hasFileName("before-restore-20261130T100000Z").isDirectoryContaining("glob:**journal.db");
        Journal second = journal(directory);
        Snapshot known = get(second.open(Story.T0.plusSeconds(60))).known();
        assertThat(known.workspaces()).isEqualTo(then.workspaces());
        assertThat(known.position().epoch()).isNotEqualTo(then.position().epoch());
        second.close().block(LONG);
        assertThatThrownBy(() -> Backup.make(temp, temp.resolve("x"))).hasMessageContaining("has no journal");
    }

    @Test
    void a_second_one_on_the_same_directory_is_refused_and_the_first_goes_on() throws IOException {
        Path directory = temp.resolve("data");
        Journal first = journal(directory);
        get(first.open(Story.T0));
        assertThatThrownBy(() -> get(journal(directory).open(Story.T0)))
                .isInstanceOf(JournalException.class)
                .hasMessageContaining(directory + " is in use by another klangkd")
                .hasMessageContaining("KLANGK_DATA_DIR");
        first.append(new Commits("E").of(RandomHistory.of(1, 5))).block(LONG);
        try (Stream<Path> files = Files.list(directory)) {
            assertThat(files.toList())
                    .hasSize(5)
                    .allSatisfy(file -> assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                            .isEqualTo("rw-------"));
        }
        first.close().block(LONG);
        Journal next = journal(directory);
        assertThat(get(next.open(Story.T0)).known().workspaces()).hasSize(1);
        next.close().block(LONG);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(directory)))
                .isEqualTo("rwx------");
    }

    @Test
    void a_file_that_is_none_or_of_a_later_version_is_refused_by_name() throws IOException, SQLException {
        Path none = temp.resolve("none");
        Files.createDirectories(none);
        Files.writeString(DataDirectory.file(none), "This is a letter, and it is as long as a header.".repeat(4));
        assertThatThrownBy(() -> get(journal(none).open(Story.T0)))
                .isInstanceOf(JournalException.class)
                .hasMessageContaining(DataDirectory.file(none).toString())
                .hasMessageContaining("klangkd restore");
        Path later = temp.resolve("later");
        Files.createDirectories(later);
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + DataDirectory.file(later));
                Statement statement = connection.createStatement()) {
            statement.execute("PRAGMA user_version = 99");
        }
        assertThatThrownBy(() -> get(journal(later).open(Story.T0)))
                .isInstanceOf(JournalException.class)
                .hasMessageContaining("later version (schema 99)");
    }

    @Test
    void what_is_too_old_goes_and_what_must_be_known_stays() {
        Path directory = temp.resolve("data");
        Retention retention = new Retention(Duration.ofMinutes(1), Duration.ofMinutes(10), 1L << 30);
        Journal journal = SqliteJournal.in(directory, retention, CHECKPOINT);
        Commits commits =
                new Commits(get(journal.open(Story.T0)).known().position().epoch());
        append(journal, commits, RandomHistory.of(9, LENGTH), 9);
        Instant last = commits.known().workspaces().get(0).health().shown().since();
        long all = get(journal.history(Story.ID, HistoryQuery.latest(1_000))).size();
        journal.alive(last.plus(Duration.ofMinutes(5))).block(LONG);
        List<HistoryEntry> left = get(journal.history(Story.ID, HistoryQuery.latest(1_000)));
        assertThat(left).hasSizeLessThan((int) all).isNotEmpty();
        journal.close().block(LONG);
        Journal again = SqliteJournal.in(directory, retention, CHECKPOINT);
        same(get(again.open(last.plus(Duration.ofHours(2)))).known(), commits, "opened");
        again.alive(last.plus(Duration.ofHours(2))).block(LONG);
        assertThat(get(again.history(Story.ID, HistoryQuery.latest(1_000)))).isEmpty();
        FramePage page = get(again.frames(commits.position().rev() - 1, 10));
        assertThat(page.compacted()).isTrue();
        assertThat(page.oldest()).isEqualTo(commits.position().rev());
        assertThat(get(again.frames(page.oldest(), 10)).compacted()).isFalse();
        again.close().block(LONG);
        Journal third = SqliteJournal.in(directory, retention, CHECKPOINT);
        same(get(third.open(last.plus(Duration.ofHours(3)))).known(), commits, "opened again");
        third.close().block(LONG);
    }

    @Test
    void one_that_is_too_large_lets_the_oldest_go_gives_the_disk_back_and_goes_on() throws IOException {
        Path directory = temp.resolve("data");
        Journal journal = SqliteJournal.in(
                directory, new Retention(Duration.ofDays(7), Duration.ofDays(90), 200_000), CHECKPOINT);
        Commits commits =
                new Commits(get(journal.open(Story.T0)).known().position().epoch());
        journal.alive(Story.T0.plusSeconds(30)).block(LONG);
        for (int i = 0; i < 40; i++) {
            append(journal, commits, RandomHistory.of(11, LENGTH), 11);
        }
        int before =
                get(journal.history(Story.ID, HistoryQuery.latest(100_000))).size();
        assertThat(size(directory)).isGreaterThan(500_000);
        for (int i = 0; i < 4; i++) {
            journal.alive(Story.T0.plus(Duration.ofHours(2)).plusSeconds(30L * i))
                    .block(LONG);
        }
        assertThat(get(journal.history(Story.ID, HistoryQuery.latest(100_000)))).hasSizeLessThan(before);
        append(journal, commits, RandomHistory.of(12, LENGTH), 12);
        journal.close().block(LONG);
        assertThat(size(directory)).isLessThan(500_000);
        Journal again = journal(directory);
        same(get(again.open(Story.T0.plus(Duration.ofHours(3)))).known(), commits, "opened again");
        again.close().block(LONG);
    }

    private static long size(Path directory) throws IOException {
        return Files.size(DataDirectory.file(directory));
    }

    @Test
    void after_a_failed_append_nothing_of_it_is_there_and_beginning_anew_mends_it() throws SQLException {
        Path directory = temp.resolve("data");
        Journal journal = journal(directory);
        Commits commits =
                new Commits(get(journal.open(Story.T0)).known().position().epoch());
        List<HealthEvent> events = RandomHistory.of(13, LENGTH);
        append(journal, commits, events.subList(0, 20), 13);
        long rev = commits.position().rev();
        try (Connection other = DriverManager.getConnection("jdbc:sqlite:" + DataDirectory.file(directory));
                Statement statement = other.createStatement()) {
            statement.execute("CREATE TRIGGER full BEFORE INSERT ON tail BEGIN SELECT RAISE(FAIL, 'disk full'); END");
            Commit failed = commits.of(events.subList(20, 40));
            assertThatThrownBy(() -> journal.append(failed).block(LONG)).hasMessageContaining("disk full");
            statement.execute("DROP TRIGGER full");
            assertThatThrownBy(() -> journal.append(failed).block(LONG)).isInstanceOf(JournalException.class);
            assertThat(get(journal.frames(rev - 1, 100)).frames()).hasSize(1);
            Snapshot known = new Snapshot(
                    new org.klangk.health.frame.Position(
                            "NEXT", commits.position().rev()),
                    commits.known().workspaces(),
                    commits.known().components());
            journal.restart(known, failed.steps()).block(LONG);
        }
        append(journal, commits, List.of(), 13);
        journal.close().block(LONG);
        Journal again = journal(directory);
        Snapshot known = get(again.open(Story.T0.plusSeconds(3_600))).known();
        assertThat(known.workspaces()).isEqualTo(commits.known().workspaces());
        assertThat(known.position().epoch()).isEqualTo("NEXT");
        again.close().block(LONG);
    }
}
