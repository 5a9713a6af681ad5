package org.klangk.health.journal;

import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.klangk.health.event.HealthEvent;
import org.klangk.health.event.WorkspaceEvent;
import org.klangk.health.frame.LoggedFrame;
import org.klangk.health.frame.Position;
import org.klangk.health.workspace.WorkspaceId;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** A journal in memory: a bounded window of the latest events and frames, under a new epoch at each start. */
final class InMemoryJournal implements Journal {
    static final int DEFAULT_EVENTS = 20_000;
    static final int DEFAULT_FRAMES = 50_000;

    private final int maxEvents;
    private final int maxFrames;
    private final Deque<HealthEvent> events = new ArrayDeque<>();
    private final ArrayDeque<LoggedFrame> frames = new ArrayDeque<>();
    private long lastRev;

    InMemoryJournal(int maxEvents, int maxFrames) {
        this.maxEvents = maxEvents;
        this.maxFrames = maxFrames;
    }

    @Override
    public Mono<Recovered> open(Instant now) {
        return Mono.fromSupplier(() -> new Recovered(new Position(Epoch.create(now), 0), List.of(), Map.of()));
    }

    @Override
    public Mono<Void> append(List<HealthEvent> newEvents, List<LoggedFrame> newFrames) {
        return Mono.fromRunnable(() -> keep(newEvents, newFrames));
    }

    private synchronized void keep(List<HealthEvent> newEvents, List<LoggedFrame> newFrames) {
        keepLast(events, newEvents, maxEvents);
        keepLast(frames, newFrames, maxFrames);
        if (!newFrames.isEmpty()) {
            lastRev = newFrames.get(newFrames.size() - 1).position().rev();
        }
    }

    private static <T> void keepLast(Deque<T> window, List<T> more, int most) {
        for (T one : more) {
            if (window.size() == most) {
                window.removeFirst();
            }
            window.addLast(one);
        }
    }

    @Override
    public Mono<FramePage> frames(long rev, int limit) {
        return Mono.fromSupplier(() -> page(rev, limit));
    }

    private synchronized FramePage page(long rev, int limit) {
        long oldest = lastRev - frames.size();
        if (rev < oldest) {
            return new FramePage(List.of(), true, oldest);
        }
        List<LoggedFrame> page = new ArrayList<>();
        // The wanted frames are the latest ones, so the walk from the end is as long as the reader is behind.
        Iterator<LoggedFrame> latest = frames.descendingIterator();
        long behind = lastRev - rev;
        for (long skip = behind - limit; skip > 0; skip--) {
            latest.next();
        }
        while (page.size() < Math.min(behind, limit)) {
            page.add(latest.next());
        }
        Collections.reverse(page);
        return new FramePage(page, false, oldest);
    }

    @Override
    public Flux<HealthEvent> events(WorkspaceId id, int limit) {
        return Flux.defer(() -> Flux.fromIterable(about(id, limit)));
    }

    private synchronized List<HealthEvent> about(WorkspaceId id, int limit) {
        Deque<HealthEvent> found = new ArrayDeque<>();
        Iterator<HealthEvent> latest = events.descendingIterator();
        while (latest.hasNext() && found.size() < limit) {
            HealthEvent event = latest.next();
            if (event instanceof WorkspaceEvent about && about.workspaceId().equals(id)) {
                found.addFirst(event);
            }
        }
        return List.copyOf(found);
    }

    @Override
    public Mono<Void> close() {
        return Mono.empty();
    }
}
