package org.klangk.health.journal;

import java.time.Instant;
import java.util.List;
import org.klangk.health.history.AliveSpan;
import org.klangk.health.history.HistoryEntry;
import org.klangk.health.history.HistoryQuery;
import org.klangk.health.history.Transition;
import org.klangk.health.pipeline.Commit;
import org.klangk.health.pipeline.Snapshot;
import org.klangk.health.pipeline.Step;
import org.klangk.health.workspace.WorkspaceId;
import reactor.core.publisher.Mono;

/**
 * Keeps events and the frames they led to. One writer opens it, appends and restarts it, each call after the last one ended; any
 * number of readers read. Implementations must not block the caller's thread; signals may arrive on any thread.
 */
public interface Journal {
    /** A journal in memory with the standard window; empty at each start. */
    static Journal inMemory() {
        return new InMemoryJournal(InMemoryJournal.DEFAULT_EVENTS, InMemoryJournal.DEFAULT_FRAMES);
    }

    /**
     * Opens it and gives back what it remembers: the fold of everything that was appended. Called once, before everything
     * else.
     *
     * @param now the time of opening
     */
    Mono<Opened> open(Instant now);

    /** Keeps a commit, all of it or nothing. Completes when it is as safe as this journal makes it. */
    Mono<Void> append(Commit commit);

    /**
     * Begins a new log with all that is known, after commits could not be appended: frames before {@code known} are let go,
     * history stays. All or nothing.
     *
     * @param known everything, at a position of the new log
     * @param missed what happened meanwhile, in order, as far as it was kept
     */
    Mono<Void> restart(Snapshot known, List<Step> missed);

    /** The monitor is alive at {@code now}; said now and then, so that a later reader can tell when it was not. */
    Mono<Void> alive(Instant now);

    /**
     * Frames after {@code rev}, oldest first, at most {@code limit}.
     *
     * @return a page that says so when frames after {@code rev} were let go already
     */
    Mono<FramePage> frames(long rev, int limit);

    /** What is kept of a workspace's past, oldest first, as {@code query} asks for it. */
    Mono<List<HistoryEntry>> history(WorkspaceId id, HistoryQuery query);

    /** A workspace's changes of state since {@code from}, oldest first, and the last one before it. */
    Mono<List<Transition>> transitions(WorkspaceId id, Instant from);

    /** When the monitor was alive since {@code from}, oldest first. */
    Mono<List<AliveSpan>> aliveSince(Instant from);

    /** Closes it. */
    Mono<Void> close();
}
