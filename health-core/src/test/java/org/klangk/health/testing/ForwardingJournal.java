package org.klangk.health.testing;

import java.time.Instant;
import java.util.List;
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

/** A journal in memory, of which a test replaces a part. */
public abstract class ForwardingJournal implements Journal {
    private final Journal journal = Journal.inMemory();

    /** One that remembers this when it is opened. */
    public static Journal remembering(Snapshot known, Instant lastAlive) {
        return new ForwardingJournal() {
            @Override
            public Mono<Opened> open(Instant now) {
                return super.open(now).then(restart(known, List.of())).thenReturn(new Opened(known, lastAlive));
            }
        };
    }

    @Override
    public Mono<Opened> open(Instant now) {
        return journal.open(now);
    }

    @Override
    public Mono<Void> append(Commit commit) {
        return journal.append(commit);
    }

    @Override
    public Mono<Void> restart(Snapshot known, List<Step> missed) {
        return journal.restart(known, missed);
    }

    @Override
    public Mono<Void> alive(Instant now) {
        return journal.alive(now);
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
