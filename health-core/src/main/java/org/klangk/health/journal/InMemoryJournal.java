package org.klangk.health.journal;

import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.klangk.health.frame.LoggedFrame;
import org.klangk.health.frame.Position;
import org.klangk.health.history.AliveSpan;
import org.klangk.health.history.HistoryEntry;
import org.klangk.health.history.HistoryQuery;
import org.klangk.health.history.Recorder;
import org.klangk.health.history.Transition;
import org.klangk.health.pipeline.Commit;
import org.klangk.health.pipeline.Snapshot;
import org.klangk.health.pipeline.Step;
import org.klangk.health.workspace.WorkspaceId;
import reactor.core.publisher.Mono;

/** A journal in memory: a bounded window of the latest history and frames, under a new epoch at each start. */
final class InMemoryJournal implements Journal {
    static final int DEFAULT_EVENTS = 20_000;
    static final int DEFAULT_FRAMES = 50_000;

    private final int maxEntries;
    private final int maxFrames;
    private final Recorder recorder = new Recorder();
    private final TreeMap<Long, HistoryEntry> entries = new TreeMap<>();
    private final ArrayDeque<LoggedFrame> frames = new ArrayDeque<>();
    private long lastEvent;
    private long lastRev;
    private @Nullable AliveSpan alive;

    InMemoryJournal(int maxEntries, int maxFrames) {
        this.maxEntries = maxEntries;
        this.maxFrames = maxFrames;
    }

    @Override
    public Mono<Opened> open(Instant now) {
        return alive(now)
                .then(Mono.fromSupplier(() ->
                        new Opened(new Snapshot(new Position(Epoch.create(now), 0), List.of(), Map.of()), null)));
    }

    @Override
    public Mono<Void> append(Commit commit) {
        return Mono.fromRunnable(() -> keep(commit));
    }

    private synchronized void keep(Commit commit) {
        keep(commit.steps());
        for (LoggedFrame frame : commit.frames()) {
            if (frames.size() == maxFrames) {
                frames.removeFirst();
            }
            frames.addLast(frame);
        }
        lastRev = commit.position().rev();
    }

    private void keep(List<Step> steps) {
        for (Step step : steps) {
            lastEvent++;
            for (HistoryEntry entry : recorder.record(lastEvent, step)) {
                entries.put(entry.id(), entry);
            }
        }
        while (entries.size() > maxEntries) {
            entries.pollFirstEntry();
        }
    }

    @Override
    public Mono<Void> restart(Snapshot known, List<Step> missed) {
        return Mono.fromRunnable(() -> begin(known, missed));
    }

    private synchronized void begin(Snapshot known, List<Step> missed) {
        keep(missed);
        frames.clear();
        lastRev = known.position().rev();
    }

    @Override
    public Mono<Void> alive(Instant now) {
        return Mono.fromRunnable(() -> extend(now));
    }

    private synchronized void extend(Instant now) {
        AliveSpan span = alive;
        alive = new AliveSpan(span == null || now.isBefore(span.from()) ? now : span.from(), now);
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
    public Mono<List<HistoryEntry>> history(WorkspaceId id, HistoryQuery query) {
        return Mono.fromSupplier(() -> about(id, query));
    }

    private synchronized List<HistoryEntry> about(WorkspaceId id, HistoryQuery query) {
        Long after = query.after();
        var candidates = after == null
                ? entries.descendingMap().values()
                : entries.tailMap(after, false).values();
        List<HistoryEntry> found = new ArrayList<>();
        for (HistoryEntry entry : candidates) {
            if (found.size() == query.limit()) {
                break;
            }
            if (query.kinds().contains(entry.kind()) && isAbout(entry, id)) {
                found.add(entry);
            }
        }
        if (after == null) {
            Collections.reverse(found);
        }
        return List.copyOf(found);
    }

    private static boolean isAbout(HistoryEntry entry, WorkspaceId id) {
        return entry.workspaceId() == null || id.equals(entry.workspaceId());
    }

    @Override
    public Mono<List<Transition>> transitions(WorkspaceId id, Instant from) {
        return Mono.fromSupplier(() -> turns(id, from));
    }

    private synchronized List<Transition> turns(WorkspaceId id, Instant from) {
        List<Transition> turns = new ArrayList<>();
        for (HistoryEntry entry : entries.descendingMap().values()) {
            if (entry instanceof Transition turn && id.equals(turn.workspaceId())) {
                turns.add(turn);
                if (turn.at().isBefore(from)) {
                    break;
                }
            }
        }
        Collections.reverse(turns);
        return List.copyOf(turns);
    }

    @Override
    public Mono<List<AliveSpan>> aliveSince(Instant from) {
        return Mono.fromSupplier(this::spans);
    }

    private synchronized List<AliveSpan> spans() {
        return alive == null ? List.of() : List.of(alive);
    }

    @Override
    public Mono<Void> close() {
        return Mono.empty();
    }
}
