package org.klangk.health.stream;

import java.io.Serial;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.klangk.health.frame.Bookmark;
import org.klangk.health.frame.Frame;
import org.klangk.health.frame.Gone;
import org.klangk.health.frame.Heartbeat;
import org.klangk.health.frame.LoggedFrame;
import org.klangk.health.frame.Position;
import org.klangk.health.frame.SnapshotEnd;
import org.klangk.health.frame.View;
import org.klangk.health.pipeline.Commit;
import org.klangk.health.pipeline.Snapshot;
import org.klangk.health.pipeline.Tracked;
import org.klangk.health.time.HealthClock;
import org.klangk.health.workspace.Audience;
import org.klangk.health.workspace.WorkspaceId;
import org.klangk.health.writer.Writer;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/**
 * The stream over a writer's log. A subscriber takes the snapshot at some position and then reads the log from there, so
 * joining needs no registration and nothing can fall between the two. The log is the queue: the latest frames come from a
 * shared ring, older ones from the journal.
 */
public final class LogStream implements HealthStream {
    static final int TAIL = 4096;
    private static final int PAGE = 512;

    private final Writer writer;
    private final HealthClock clock;
    private final Scheduler delivery;
    private final FrameTail tail;
    private final Departed departed = new Departed(TAIL);

    /**
     * A stream of what {@code writer} commits; before the writer is opened.
     *
     * @param delivery where subscribers get their signals
     */
    public LogStream(Writer writer, HealthClock clock, Scheduler delivery) {
        this(writer, clock, delivery, TAIL);
    }

    LogStream(Writer writer, HealthClock clock, Scheduler delivery, int tailSize) {
        this.writer = writer;
        this.clock = clock;
        this.delivery = delivery;
        this.tail = new FrameTail(tailSize);
        writer.onCommit(this::committed);
    }

    private void committed(Commit commit) {
        commit.removed().forEach(tracked -> departed.add(tracked.health().workspace()));
        tail.append(commit.frames());
    }

    private Sight sight(WatchRequest request) {
        return new Sight(request, this::audience);
    }

    private @Nullable Audience audience(WorkspaceId id) {
        Tracked tracked = writer.board().find(id);
        return tracked == null
                ? departed.find(id)
                : tracked.health().workspace().audience();
    }

    /** Begins at {@code position}; when the writer was opened. */
    public void startAt(Position position) {
        tail.startAt(position.rev());
    }

    /** Tells a heartbeat to those who want it; on the writer's thread. */
    public void beat(Heartbeat heartbeat) {
        tail.beat(heartbeat);
    }

    /** Tells everybody who is up to date so; on the writer's thread. */
    public void mark(Position position) {
        tail.mark(new Bookmark(position));
    }

    /** Completes every subscription; on the writer's thread or after it ended. */
    public void complete() {
        tail.complete();
    }

    @Override
    public Flux<List<Frame>> watchTogether(WatchRequest request) {
        return Flux.defer(() -> request.after() == null ? fromSnapshot(request) : resume(request, request.after()));
    }

    private Flux<List<Frame>> resume(WatchRequest request, Position after) {
        Position now = writer.board().position();
        if (!after.epoch().equals(now.epoch())) {
            return gone(request, Gone.Reason.EPOCH_CHANGED, now.rev());
        }
        if (after.rev() > now.rev()) {
            return gone(request, Gone.Reason.FUTURE, now.rev());
        }
        Position rights = request.rightsSince();
        if (rights != null && rights.epoch().equals(now.epoch()) && rights.rev() > after.rev()) {
            return gone(request, Gone.Reason.RIGHTS_CHANGED, now.rev());
        }
        Flux<List<Frame>> goOn = follow(request, after.rev(), now, true);
        return request.viewer().seesEverything()
                ? goOn
                : writer.snapshot()
                        .publishOn(delivery)
                        .flatMapMany(known -> sight(request).grewSince(after.rev(), known)
                                ? gone(request, Gone.Reason.RIGHTS_CHANGED, now.rev())
                                : goOn);
    }

    private Flux<List<Frame>> gone(WatchRequest request, Gone.Reason reason, long oldest) {
        Gone gone = new Gone(reason, new Position(writer.board().position().epoch(), oldest));
        Flux<List<Frame>> snapshot = fromSnapshot(request.fromSnapshot());
        return request.view() == View.FULL ? Flux.concat(Mono.just(List.<Frame>of(gone)), snapshot) : snapshot;
    }

    private Flux<List<Frame>> fromSnapshot(WatchRequest request) {
        return writer.snapshot()
                .publishOn(delivery)
                .flatMapMany(snapshot -> Flux.concat(
                        frames(snapshot, request),
                        follow(request, snapshot.position().rev(), snapshot.position(), false)));
    }

    private Flux<List<Frame>> frames(Snapshot snapshot, WatchRequest request) {
        AtomicInteger count = new AtomicInteger();
        Sight sight = sight(request);
        Flux<List<Frame>> frames = Flux.fromStream(
                        () -> snapshot.frames(request.view(), clock.wall().get()))
                .filter(frame -> sight.show((LoggedFrame) frame, false) != null)
                .doOnNext(frame -> count.incrementAndGet())
                .buffer(PAGE);
        return request.view() == View.KLANGK
                ? frames
                : frames.concatWith(
                        Mono.fromSupplier(() -> List.of(new SnapshotEnd(snapshot.position(), count.get()))));
    }

    /** Where one subscriber stands; only its own delivery touches it, one signal at a time. */
    private static final class Cursor {
        private final Sight sight;
        /** Up to here its subscriber was away. */
        private final long resumed;

        private String epoch;
        private long rev;
        private @Nullable Heartbeat heartbeat;
        private @Nullable Bookmark bookmark;

        Cursor(Sight sight, String epoch, long rev, long resumed) {
            this.sight = sight;
            this.epoch = epoch;
            this.rev = rev;
            this.resumed = resumed;
        }

        List<Frame> shown(List<LoggedFrame> page) {
            List<Frame> frames = new ArrayList<>(page.size());
            for (LoggedFrame frame : page) {
                LoggedFrame shown = sight.show(frame, frame.position().rev() <= resumed);
                if (shown != null) {
                    frames.add(shown);
                }
            }
            return frames;
        }
    }

    /** @param resumes whether what is already in the log at {@code now} happened while the subscriber was away */
    private Flux<List<Frame>> follow(WatchRequest request, long rev, Position now, boolean resumes) {
        return Flux.defer(() -> {
            Cursor cursor = new Cursor(sight(request), now.epoch(), rev, resumes ? now.rev() : rev);
            cursor.heartbeat = tail.heartbeat();
            cursor.bookmark = tail.bookmark();
            return tail.ticks()
                    .onBackpressureLatest()
                    .publishOn(delivery, 1)
                    .concatMap(tick -> advance(cursor, request), 0)
                    .onErrorResume(Unreachable.class, e -> gone(request, e.reason, e.oldest))
                    .onErrorResume(Sight.Changed.class, e -> gone(request, Gone.Reason.RIGHTS_CHANGED, cursor.rev));
        });
    }

    /** From the cursor to the end of the log as it is when it gets there. */
    private Flux<List<Frame>> advance(Cursor cursor, WatchRequest request) {
        return Mono.defer(() -> nextPage(cursor, request))
                .map(cursor::shown)
                .repeat(() -> cursor.rev < tail.last())
                .concatWith(Mono.fromSupplier(() -> aboutTheStream(cursor, request)))
                .filter(frames -> !frames.isEmpty());
    }

    private Mono<List<LoggedFrame>> nextPage(Cursor cursor, WatchRequest request) {
        List<LoggedFrame> recent = tail.read(cursor.rev, PAGE);
        if (recent != null) {
            return Mono.just(take(recent, cursor, request));
        }
        return writer.frames(cursor.rev, PAGE).publishOn(delivery).map(page -> {
            if (page.compacted()) {
                throw new Unreachable(reason(cursor), page.oldest());
            }
            return take(page.frames(), cursor, request);
        });
    }

    /**
     * The frames of the log that the cursor is in. Where a log of another name goes on with the same numbers, who keeps positions
     * begins anew there; who keeps none has missed nothing.
     */
    private static List<LoggedFrame> take(List<LoggedFrame> page, Cursor cursor, WatchRequest request) {
        int same = 0;
        while (same < page.size() && page.get(same).position().epoch().equals(cursor.epoch)) {
            same++;
        }
        if (same == 0 && !page.isEmpty()) {
            if (request.view() == View.FULL) {
                throw new Unreachable(Gone.Reason.EPOCH_CHANGED, cursor.rev);
            }
            cursor.epoch = page.get(0).position().epoch();
            return take(page, cursor, request);
        }
        cursor.rev += same;
        return page.subList(0, same);
    }

    /** Why frames of the cursor's log cannot be read any more. */
    private Gone.Reason reason(Cursor cursor) {
        return writer.board().position().epoch().equals(cursor.epoch)
                ? Gone.Reason.COMPACTED
                : Gone.Reason.EPOCH_CHANGED;
    }

    /** What there is to say of the stream itself, once the cursor is at its end. */
    @SuppressWarnings("ReferenceEquality") // a beat or mark is new when it is another object, whatever it says
    private List<Frame> aboutTheStream(Cursor cursor, WatchRequest request) {
        List<Frame> frames = new ArrayList<>(2);
        Heartbeat beat = tail.heartbeat();
        if (beat != null && beat != cursor.heartbeat && beat.position().rev() <= cursor.rev) {
            cursor.heartbeat = beat;
            if (request.heartbeats()) {
                frames.add(beat);
            }
        }
        Bookmark mark = tail.bookmark();
        if (mark != null && mark != cursor.bookmark && mark.position().rev() <= cursor.rev) {
            cursor.bookmark = mark;
            if (request.view() == View.FULL) {
                frames.add(new Bookmark(new Position(cursor.epoch, cursor.rev)));
            }
        }
        return frames;
    }

    /** What a cursor wants next is not to be had. */
    private static final class Unreachable extends RuntimeException {
        @Serial
        private static final long serialVersionUID = 1;

        private final Gone.Reason reason;
        private final long oldest;

        Unreachable(Gone.Reason reason, long oldest) {
            super(reason + " up to " + oldest, null, false, false);
            this.reason = reason;
            this.oldest = oldest;
        }
    }
}
