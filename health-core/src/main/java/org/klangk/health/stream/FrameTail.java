package org.klangk.health.stream;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;
import org.klangk.health.frame.Bookmark;
import org.klangk.health.frame.Heartbeat;
import org.klangk.health.frame.LoggedFrame;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Sinks;

/**
 * The latest committed frames in memory, shared by all subscribers, and the signal that there are more. The writer's thread
 * appends; any thread reads. Frames are numbered without a gap, so a number is an index.
 */
final class FrameTail {
    private final AtomicReferenceArray<LoggedFrame> ring;
    private final Sinks.Many<Boolean> ticks = Sinks.unsafe().many().multicast().directBestEffort();
    private volatile long last;
    private volatile @Nullable Heartbeat heartbeat;
    private volatile @Nullable Bookmark bookmark;

    FrameTail(int size) {
        ring = new AtomicReferenceArray<>(size);
    }

    /** Where the log is when it is opened; before the first {@link #append}. */
    void startAt(long rev) {
        last = rev;
    }

    void append(List<LoggedFrame> frames) {
        if (frames.isEmpty()) {
            return;
        }
        for (LoggedFrame frame : frames) {
            ring.set(slot(frame.position().rev()), frame);
        }
        last = frames.get(frames.size() - 1).position().rev();
        ticks.tryEmitNext(true);
    }

    void beat(Heartbeat beat) {
        heartbeat = beat;
        ticks.tryEmitNext(true);
    }

    void mark(Bookmark mark) {
        bookmark = mark;
        ticks.tryEmitNext(true);
    }

    void complete() {
        ticks.tryEmitComplete();
    }

    /** Rings once at once and then whenever something was added; may be dropped when there is no demand. */
    Flux<Boolean> ticks() {
        // Subscribed before the first look, so that nothing is added between the two unheard.
        return Flux.merge(ticks.asFlux(), Flux.just(true));
    }

    long last() {
        return last;
    }

    @Nullable
    Heartbeat heartbeat() {
        return heartbeat;
    }

    @Nullable
    Bookmark bookmark() {
        return bookmark;
    }

    /** Frames after {@code rev}, at most {@code limit}; null when some of them are no longer held here. */
    @Nullable
    List<LoggedFrame> read(long rev, int limit) {
        long to = Math.min(last, rev + limit);
        List<LoggedFrame> page = new ArrayList<>((int) Math.max(0, to - rev));
        for (long next = rev + 1; next <= to; next++) {
            LoggedFrame frame = ring.get(slot(next));
            // A slot may be overwritten at any moment by a frame that is a round ahead.
            if (frame == null || frame.position().rev() != next) {
                return null;
            }
            page.add(frame);
        }
        return page;
    }

    private int slot(long rev) {
        return (int) (rev % ring.length());
    }
}
