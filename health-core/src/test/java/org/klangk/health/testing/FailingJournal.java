package org.klangk.health.testing;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
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
import org.klangk.health.workspace.WorkspaceId;
import reactor.core.publisher.Mono;

/** A journal that fails to write while a test wants it to. */
public final class FailingJournal implements Journal {
    private final Journal journal = Journal.inMemory();
    private volatile @Nullable String trouble;
    private volatile int refused;

    /** Writing fails with this from now on; null for not any more. */
    public void fail(@Nullable String message) {
        trouble = message;
    }

    /** How often it was asked to begin anew, and failed. */
    public int refused() {
        return refused;
    }

    private Mono<Void> unlessFailing(Mono<Void> work) {
        return Mono.defer(() -> {
            String message = trouble;
            return message == null ? work : Mono.error(new IllegalStateException(message));
        });
    }

    @Override
    public Mono<Opened> open(Instant now) {
        return journal.open(now);
    }

    @Override
    public Mono<Void> append(Commit commit) {
        return unlessFailing(journal.append(commit));
    }

    @Override
    @SuppressWarnings("NonAtomicVolatileUpdate") // the writer alone calls it
    public Mono<Void> restart(Snapshot known, List<Step> missed) {
        return unlessFailing(journal.restart(known, missed)).doOnError(error -> refused++);
    }

    @Override
    public Mono<Void> alive(Instant now) {
        return unlessFailing(journal.alive(now));
    }

    @Override
    public Mono<FramePage> frames(long rev, int limit) {
        return journal.frames(rev, limit);
    }

    @Override
    public Mono<List<HistoryEntry>> history(WorkspaceId id, HistoryQuery query) {
        return journal.history(id, query);
    }

    @Override
    public Mono<List<Transition>> transitions(WorkspaceId id, Instant from) {
        return journal.transitions(id, from);
    }

    @Override
    public Mono<List<AliveSpan>> aliveSince(Instant from) {
        return journal.aliveSince(from);
    }

    @Override
    public Mono<Void> close() {
        return journal.close();
    }
}
