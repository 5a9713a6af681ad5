package org.klangk.health.transport.journal;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ForkJoinPool;
import org.jspecify.annotations.Nullable;
import org.klangk.health.frame.LoggedFrame;
import org.klangk.health.history.AliveSpan;
import org.klangk.health.history.HistoryEntry;
import org.klangk.health.history.HistoryQuery;
import org.klangk.health.history.Transition;
import org.klangk.health.journal.FramePage;
import org.klangk.health.journal.Journal;
import org.klangk.health.journal.Opened;
import org.klangk.health.pipeline.Commit;
import org.klangk.health.pipeline.Snapshot;
import org.klangk.health.pipeline.Step;
import org.klangk.health.transport.wire.StoredJson;
import org.klangk.health.workspace.WorkspaceId;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/**
 * The durable journal: a SQLite file in a directory of its own, in write-ahead mode and forced to disk at each commit. Writing,
 * frames and history have a thread and a connection each, so that no reader waits for another kind of work. Signals arrive on
 * these threads.
 */
public final class SqliteJournal implements Journal {
    private static final int CHECKPOINT_EVERY = 20_000;
    private static final int COMPACTED_AT_ONCE = 20_000;

    private record Lanes(DataDirectory directory, Lane write, Lane frames, Lane history) {}

    private final Path directory;
    private final Ledger ledger;
    private final Compaction compaction;
    private volatile @Nullable Lanes lanes;
    private @Nullable Instant nextCompaction;

    private SqliteJournal(Path directory, Retention retention, int checkpointEvery) {
        this.directory = directory;
        this.ledger = new Ledger(directory, checkpointEvery);
        this.compaction = new Compaction(retention, COMPACTED_AT_ONCE);
    }

    /** The journal in {@code directory}, which is made, and made private, when it is opened. */
    public static SqliteJournal in(Path directory, Retention retention) {
        return in(directory, retention, CHECKPOINT_EVERY);
    }

    static SqliteJournal in(Path directory, Retention retention, int checkpointEvery) {
        return new SqliteJournal(directory, retention, checkpointEvery);
    }

    /** Fails with a {@link JournalException} when another server has it or it cannot be read. */
    @Override
    public Mono<Opened> open(Instant now) {
        return Mono.fromCallable(this::connect)
                .subscribeOn(Schedulers.boundedElastic())
                .flatMap(made -> made.write()
                        .run(connection -> ledger.open(connection, now))
                        .onErrorMap(e -> !(e instanceof JournalException), this::unreadable)
                        .doOnSuccess(opened -> lanes = made)
                        .onErrorResume(error -> close(made).then(Mono.error(error))));
    }

    private Throwable unreadable(Throwable error) {
        return new JournalException(
                DataDirectory.file(directory) + " cannot be read as journal: " + error.getMessage()
                        + " (klangkd restore brings back a backup)",
                error);
    }

    private Lanes connect() throws IOException, SQLException {
        DataDirectory taken = DataDirectory.take(directory);
        // While the driver unpacks its library, another core can do what reading will need.
        ForkJoinPool.commonPool().execute(StoredJson::prepare);
        Path file = DataDirectory.file(directory);
        try {
            // Before the driver makes it: the files beside it get its rights.
            DataDirectory.makePrivate(file);
            Lane write = new Lane("klangk-journal", Database.write(file));
            return new Lanes(
                    taken,
                    write,
                    new Lane("klangk-journal-frames", Database.read(file)),
                    new Lane("klangk-journal-history", Database.read(file)));
        } catch (IOException | RuntimeException e) {
            taken.close();
            throw e;
        }
    }

    private Lanes opened() {
        return Objects.requireNonNull(lanes, "the journal is not open");
    }

    @Override
    public Mono<Void> append(Commit commit) {
        return write(connection -> ledger.append(connection, commit));
    }

    @Override
    public Mono<Void> restart(Snapshot known, List<Step> missed) {
        return write(connection -> ledger.restart(connection, known, missed));
    }

    @Override
    public Mono<Void> alive(Instant now) {
        return write(connection -> {
            ledger.alive(connection, now);
            Instant due = nextCompaction;
            if (due == null || !now.isBefore(due)) {
                boolean more = ledger.compact(connection, compaction, now);
                nextCompaction = more ? now : now.plus(Compaction.PERIOD);
            }
        });
    }

    private interface Writing {
        void run(Connection connection) throws Exception;
    }

    private Mono<Void> write(Writing work) {
        return Mono.defer(() -> opened().write().run(connection -> {
                    work.run(connection);
                    return true;
                }))
                .then();
    }

    @Override
    public Mono<FramePage> frames(long rev, int limit) {
        return Mono.defer(() -> opened().frames().run(connection -> {
            // One transaction, so that nothing is let go between the two looks.
            connection.setAutoCommit(false);
            try {
                long oldest = Meta.require(connection).oldest();
                if (rev < oldest) {
                    return new FramePage(List.of(), true, oldest);
                }
                List<LoggedFrame> frames = Tables.frames(connection, rev, limit);
                return new FramePage(frames, false, oldest);
            } finally {
                connection.rollback();
            }
        }));
    }

    @Override
    public Mono<List<HistoryEntry>> history(WorkspaceId id, HistoryQuery query) {
        return Mono.defer(() ->
                opened().history().run(connection -> HistoryReader.history(connection, ledger.runs(), id, query)));
    }

    @Override
    public Mono<List<Transition>> transitions(WorkspaceId id, Instant from) {
        return Mono.defer(() -> opened().history().run(connection -> HistoryReader.transitions(connection, id, from)));
    }

    @Override
    public Mono<List<AliveSpan>> aliveSince(Instant from) {
        return Mono.defer(() -> opened().history().run(connection -> HistoryReader.alive(connection, from)));
    }

    @Override
    public Mono<Void> close() {
        return Mono.defer(() -> {
            Lanes open = lanes;
            return open == null
                    ? Mono.empty()
                    : open.write()
                            .<Boolean>run(connection -> {
                                ledger.close(connection);
                                return true;
                            })
                            .then(close(open))
                            .onErrorResume(error -> close(open).then(Mono.error(error)));
        });
    }

    private static Mono<Void> close(Lanes open) {
        return Mono.whenDelayError(
                        open.frames().close(),
                        open.history().close(),
                        open.write().close())
                .doOnTerminate(() -> open.directory().close());
    }
}
