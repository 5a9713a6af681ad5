package org.klangk.health.journal;

import java.time.Instant;
import java.util.List;
import org.klangk.health.event.HealthEvent;
import org.klangk.health.frame.LoggedFrame;
import org.klangk.health.workspace.WorkspaceId;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Keeps events and the frames they led to. One writer appends, any number of readers read. Implementations must not block the
 * caller's thread; signals may arrive on any thread.
 */
public interface Journal {
    /** A journal in memory with the standard window; empty at each start. */
    static Journal inMemory() {
        return new InMemoryJournal(InMemoryJournal.DEFAULT_EVENTS, InMemoryJournal.DEFAULT_FRAMES);
    }

    /**
     * Opens it and gives back what it remembers. Called once, before everything else.
     *
     * @param now the time of opening
     */
    Mono<Recovered> open(Instant now);

    /**
     * Keeps events and frames, all or none. Completes when they are as safe as this journal makes them. Called again only
     * after the last call ended.
     */
    Mono<Void> append(List<HealthEvent> events, List<LoggedFrame> frames);

    /**
     * Frames after {@code rev}, oldest first, at most {@code limit}.
     *
     * @return a page that says so when frames after {@code rev} were let go already
     */
    Mono<FramePage> frames(long rev, int limit);

    /** The latest events about a workspace, oldest first, at most {@code limit}. */
    Flux<HealthEvent> events(WorkspaceId id, int limit);

    /** Closes it. */
    Mono<Void> close();
}
