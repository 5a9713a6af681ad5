package org.klangk.health.writer;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.klangk.health.event.ClockJumped;
import org.klangk.health.event.HealthEvent;
import org.klangk.health.frame.LoggedFrame;
import org.klangk.health.journal.Journal;
import org.klangk.health.pipeline.Board;
import org.klangk.health.pipeline.Candidate;
import org.klangk.health.pipeline.HealthPipeline;
import org.klangk.health.pipeline.Snapshot;
import org.klangk.health.pipeline.Step;
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

    private record Pending<R>(Command<R> command, Sinks.One<R> reply) {
        /** Decides and folds; gives back what to do once it is committed. */
        Runnable run(Candidate candidate, Stamp stamp, Consumer<Step> steps) {
            Decision<R> decision = command.decide(candidate, stamp);
            fold(decision.events(), candidate, steps);
            R answer = decision.answer().apply(candidate);
            return () -> reply.tryEmitValue(answer);
        }

        void fail(Throwable error) {
            reply.tryEmitError(error);
        }
    }

    private final Journal journal;
    private final HealthClock clock;
    private final Scheduler scheduler;
    private final List<Consumer<Commit>> listeners = new ArrayList<>();
    private final Queue<Pending<?>> waiting = new ConcurrentLinkedQueue<>();
    private final AtomicInteger waitingCount = new AtomicInteger();
    private final Sinks.Empty<Void> closed = Sinks.empty();
    private @Nullable Stamper stamper;
    private volatile @Nullable CommittedBoard board;
    private volatile @Nullable FluxSink<Boolean> bell;
    private volatile boolean closing;

    /**
     * A writer that is not open yet.
     *
     * @param scheduler single-threaded, the writer's own
     */
    public Writer(Journal journal, HealthClock clock, Scheduler scheduler) {
        this.journal = journal;
        this.clock = clock;
        this.scheduler = scheduler;
    }

    /** Calls {@code listener} after every commit, on the writer's thread, in the order of registration. Before {@link #open}. */
    public void onCommit(Consumer<Commit> listener) {
        listeners.add(listener);
    }

    /** Opens the journal and begins to take commands; gives back what was known before. */
    public Mono<Snapshot> open() {
        return Mono.defer(() -> journal.open(clock.wall().get()))
                .publishOn(scheduler)
                .map(recovered -> {
                    CommittedBoard opened = new CommittedBoard(recovered);
                    stamper = new Stamper(clock);
                    board = opened;
                    // LATEST: however often it rings during a commit, one more look at the queue is enough.
                    Flux.<Boolean>create(sink -> bell = sink, FluxSink.OverflowStrategy.LATEST)
                            .publishOn(scheduler, 1)
                            .concatMap(ring -> commitWaiting(), 0)
                            .subscribe(
                                    none -> {}, error -> log.error("the writer stopped", error), closed::tryEmitEmpty);
                    return opened.snapshot();
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
                return Mono.error(new OverloadedException(count - 1));
            }
            Pending<R> pending = new Pending<>(command, Sinks.one());
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
                return journal.close();
            }
            ring.next(true);
            ring.complete();
            return closed.asMono().then(Mono.fromRunnable(this::refuseWaiting)).then(journal.close());
        });
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
        return Mono.defer(this::commitBatch).repeat(() -> !waiting.isEmpty()).then();
    }

    private Mono<Void> commitBatch() {
        Candidate candidate = new Candidate(opened());
        List<Step> steps = new ArrayList<>();
        List<Pending<?>> decided = new ArrayList<>();
        List<Runnable> answers = new ArrayList<>();
        Pending<?> pending;
        while (decided.size() < MAX_BATCH && (pending = waiting.poll()) != null) {
            waitingCount.decrementAndGet();
            try {
                answers.add(pending.run(candidate, stamp(candidate, steps::add), steps::add));
                decided.add(pending);
            } catch (RuntimeException refused) {
                pending.fail(refused);
            }
        }
        if (decided.isEmpty() && steps.isEmpty()) {
            return Mono.empty();
        }
        List<HealthEvent> events = steps.stream().map(Step::event).toList();
        List<LoggedFrame> frames =
                steps.stream().flatMap(step -> step.frames().stream()).toList();
        return journal.append(events, frames)
                .publishOn(scheduler)
                .then(Mono.<Void>fromRunnable(() -> show(candidate, steps, frames, answers)))
                .onErrorResume(error -> {
                    log.error("the journal refused a commit of {} events", events.size(), error);
                    decided.forEach(one -> one.fail(error));
                    return Mono.empty();
                });
    }

    private Stamp stamp(Candidate candidate, Consumer<Step> steps) {
        Stamper.Reading reading = Objects.requireNonNull(stamper).read();
        if (reading.jump() != null) {
            log.warn("the wall clock jumped by {}", reading.jump());
            fold(List.of(new ClockJumped(reading.stamp().at(), reading.jump())), candidate, steps);
        }
        return reading.stamp();
    }

    private static void fold(List<HealthEvent> events, Candidate candidate, Consumer<Step> steps) {
        if (events.isEmpty()) {
            return;
        }
        Flux.fromIterable(events).transform(HealthPipeline.into(candidate)).subscribe(steps, error -> {
            throw new IllegalStateException("an event could not be folded", error);
        });
    }

    private void show(Candidate candidate, List<Step> steps, List<LoggedFrame> frames, List<Runnable> answers) {
        opened().apply(candidate);
        Commit commit = new Commit(
                candidate.position(),
                List.copyOf(steps),
                frames,
                List.copyOf(candidate.changed()),
                List.copyOf(candidate.removed()));
        for (Consumer<Commit> listener : listeners) {
            try {
                listener.accept(commit);
            } catch (RuntimeException e) {
                log.error("a listener failed on the commit at {}", commit.position(), e);
            }
        }
        answers.forEach(Runnable::run);
    }
}
