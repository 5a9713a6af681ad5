package org.klangk.health.writer;

import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.klangk.health.event.Component;
import org.klangk.health.event.ComponentDown;
import org.klangk.health.event.ComponentUp;
import org.klangk.health.event.MonitorEvent;
import org.klangk.health.frame.Position;
import org.klangk.health.journal.Epoch;
import org.klangk.health.journal.FramePage;
import org.klangk.health.journal.Journal;
import org.klangk.health.journal.Opened;
import org.klangk.health.pipeline.Board;
import org.klangk.health.pipeline.Commit;
import org.klangk.health.pipeline.ComponentStatus;
import org.klangk.health.pipeline.Snapshot;
import org.klangk.health.time.HealthClock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Flux;
import reactor.core.publisher.FluxSink;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Scheduler;

/**
 * The one writer. Commands queue; while a commit is under way the ones that arrive form the next batch, so an idle writer
 * commits at once and a busy one in groups. A batch is decided and folded on a candidate state, its events and frames are
 * appended to the journal in one commit, and only then the new state is visible, listeners are called and commands answered.
 *
 * <p>{@link #submit} and {@link #board} may be used on any thread. Decisions, listeners and answers run on the writer's
 * scheduler, which must be single-threaded.
 */
public final class Writer {
    private static final Logger log = LoggerFactory.getLogger(Writer.class);
    private static final int MAX_WAITING = 200_000;
    private static final int MAX_BATCH = 1_000;

    private final Journal journal;
    private final Log frames;
    private final HealthClock clock;
    private final Scheduler scheduler;
    private final List<Consumer<Commit>> listeners = new ArrayList<>();
    private final Queue<Pending<?>> waiting = new ConcurrentLinkedQueue<>();
    /** Decided once, but not committed; on the writer's thread only. */
    private final Deque<Pending<?>> again = new ArrayDeque<>();

    private final AtomicInteger waitingCount = new AtomicInteger();
    private final Sinks.Empty<Void> closed = Sinks.empty();
    private @Nullable Stamper stamper;
    private volatile @Nullable CommittedBoard board;
    private volatile @Nullable FluxSink<Boolean> bell;
    private volatile boolean closing;
    private boolean retryDue;

    /**
     * A writer that is not open yet.
     *
     * @param scheduler single-threaded, the writer's own
     */
    public Writer(Journal journal, HealthClock clock, Scheduler scheduler) {
        this.journal = journal;
        this.frames = new Log(journal);
        this.clock = clock;
        this.scheduler = scheduler;
    }

    /** Calls {@code listener} after every commit, on the writer's thread, in the order of registration. Before {@link #open}. */
    public void onCommit(Consumer<Commit> listener) {
        listeners.add(listener);
    }

    /** Opens the journal and begins to take commands; gives back what was known before. */
    public Mono<Opened> open() {
        return Mono.defer(() -> journal.open(clock.wall().get()))
                .publishOn(scheduler)
                .doOnNext(opened -> {
                    CommittedBoard known = new CommittedBoard(opened.known());
                    stamper = new Stamper(clock);
                    board = known;
                    // LATEST: however often it rings during a commit, one more look at the queue is enough.
                    Flux.<Boolean>create(sink -> bell = sink, FluxSink.OverflowStrategy.LATEST)
                            .publishOn(scheduler, 1)
                            .concatMap(ring -> commitWaiting(), 0)
                            .subscribe(
                                    none -> {}, error -> log.error("the writer stopped", error), closed::tryEmitEmpty);
                    ComponentStatus status = known.component(Component.JOURNAL);
                    if (status != null && !status.healthy()) {
                        // It was opened just now, so it works.
                        again.add(told(at -> new ComponentUp(at, Component.JOURNAL)));
                        ring();
                    }
                });
    }

    /** Everything committed. Single workspaces may be read on any thread. */
    public Board board() {
        return opened();
    }

    /** All that is committed at one position; signals arrive on the writer's thread. */
    public Mono<Snapshot> snapshot() {
        return Mono.fromSupplier(() -> opened().snapshot()).subscribeOn(scheduler);
    }

    /**
     * Has a command decided and its events committed. Each subscription is one command; cancelling does not take it back.
     * Signals arrive on the writer's thread.
     */
    public <R> Mono<R> submit(Command<R> command) {
        return Mono.defer(() -> {
            FluxSink<Boolean> ring = bell;
            if (closing || ring == null) {
                return Mono.error(new CancellationException("the writer does not run"));
            }
            int count = waitingCount.incrementAndGet();
            if (count > MAX_WAITING) {
                waitingCount.decrementAndGet();
                return Mono.error(new OverloadedException((count - 1) + " commands"));
            }
            Pending<R> pending = Pending.of(command);
            waiting.add(pending);
            ring.next(true);
            return pending.reply().asMono();
        });
    }

    /** Takes no more commands, commits what waits, and closes the journal. */
    public Mono<Void> close() {
        return Mono.defer(() -> {
            closing = true;
            FluxSink<Boolean> ring = bell;
            if (ring == null) {
                return frames.close();
            }
            ring.next(true);
            ring.complete();
            return closed.asMono().then(Mono.fromRunnable(this::refuseWaiting)).then(frames.close());
        });
    }

    /** Frames after {@code rev}, as {@link Journal#frames} gives them; also while the journal does not work. */
    public Mono<FramePage> frames(long rev, int limit) {
        return frames.frames(rev, limit);
    }

    private void refuseWaiting() {
        Pending<?> pending;
        while ((pending = waiting.poll()) != null) {
            pending.fail(new CancellationException("the writer was closed"));
        }
    }

    private CommittedBoard opened() {
        CommittedBoard opened = board;
        if (opened == null) {
            throw new IllegalStateException("the writer is not open");
        }
        return opened;
    }

    /** Commits until nothing waits. */
    private Mono<Void> commitWaiting() {
        return Mono.defer(() -> retryDue ? restart() : commitBatch())
                .repeat(() -> retryDue || !again.isEmpty() || !waiting.isEmpty())
                .then();
    }

    private Mono<Void> commitBatch() {
        Batch batch = new Batch(opened());
        Pending<?> pending;
        while (batch.size() < MAX_BATCH && (pending = next()) != null) {
            batch.decide(pending, Objects.requireNonNull(stamper).read());
        }
        if (batch.isEmpty()) {
            return Mono.empty();
        }
        Commit commit = batch.commit();
        return frames.append(commit)
                .publishOn(scheduler)
                .then(Mono.<Void>fromRunnable(() -> show(commit, batch)))
                .onErrorResume(error -> failed(batch, error));
    }

    private @Nullable Pending<?> next() {
        Pending<?> first = again.poll();
        if (first != null) {
            return first;
        }
        Pending<?> pending = waiting.poll();
        if (pending != null) {
            waitingCount.decrementAndGet();
        }
        return pending;
    }

    private void show(Commit commit, Batch batch) {
        opened().apply(commit);
        for (Consumer<Commit> listener : listeners) {
            try {
                listener.accept(commit);
            } catch (RuntimeException e) {
                log.error("a listener failed on the commit at {}", commit.position(), e);
            }
        }
        batch.answer();
    }

    /** Nothing was shown of the batch: it is decided again, in memory, under the name of a log that will not last. */
    private Mono<Void> failed(Batch batch, Throwable error) {
        if (frames.failing()) {
            log.error("a commit could not be kept in memory", error);
            batch.decided().forEach(one -> one.fail(error));
            return Mono.empty();
        }
        log.error("the journal failed; going on in memory", error);
        Position place = moved();
        return frames.fail(place).publishOn(scheduler).then(Mono.fromRunnable(() -> {
            opened().moveTo(place);
            String trouble = error.getMessage() == null ? error.toString() : error.getMessage();
            again.add(told(at -> new ComponentDown(at, Component.JOURNAL, trouble)));
            again.addAll(batch.decided());
            retryLater();
        }));
    }

    private void retryLater() {
        scheduler.schedule(
                () -> {
                    retryDue = true;
                    ring();
                },
                frames.patience().toMillis(),
                TimeUnit.MILLISECONDS);
    }

    private Mono<Void> restart() {
        retryDue = false;
        Position place = moved();
        Snapshot known = opened().snapshot();
        return frames.restart(new Snapshot(place, known.workspaces(), known.components()))
                .publishOn(scheduler)
                .then(Mono.<Void>fromRunnable(() -> {
                    log.info("the journal works again");
                    opened().moveTo(place);
                    again.addFirst(told(at -> new ComponentUp(at, Component.JOURNAL)));
                }))
                .onErrorResume(error -> {
                    log.debug("the journal still fails", error);
                    retryLater();
                    return Mono.empty();
                });
    }

    /** Where everything known is in a log of another name. */
    private Position moved() {
        return new Position(
                Epoch.create(clock.wall().get()), opened().position().rev());
    }

    private static Pending<Boolean> told(Function<Instant, MonitorEvent> event) {
        return Pending.of((board, stamp) -> Decision.of(List.of(event.apply(stamp.at())), true));
    }

    private void ring() {
        FluxSink<Boolean> ring = bell;
        if (ring != null) {
            ring.next(true);
        }
    }
}
