package org.klangk.health.writer;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.klangk.health.event.CheckCompleted;
import org.klangk.health.frame.Position;
import org.klangk.health.journal.FramePage;
import org.klangk.health.journal.Journal;
import org.klangk.health.pipeline.Commit;
import org.klangk.health.pipeline.Snapshot;
import org.klangk.health.pipeline.Step;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;

/**
 * Where commits go: the journal, and memory while the journal does not work. The writer's thread writes, any thread reads frames.
 */
final class Log {
    private static final Logger log = LoggerFactory.getLogger(Log.class);
    /** Steps that are kept in memory for the journal until it works again; the oldest are let go beyond it. */
    private static final int MAX_MISSED = 100_000;

    private static final Duration FIRST_TRY = Duration.ofSeconds(1);
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(30);

    /** A time without the journal. */
    private static final class Outage {
        private final Journal memory = Journal.inMemory();
        private final Deque<Step> missed = new ArrayDeque<>();
        private long dropped;
        private Duration wait = FIRST_TRY;

        /** Steady results go first: they are not kept at all. */
        void keep(List<Step> steps) {
            for (Step step : steps) {
                if (step.event() instanceof CheckCompleted && step.frames().isEmpty()) {
                    continue;
                }
                if (missed.size() == MAX_MISSED) {
                    missed.removeFirst();
                    dropped++;
                }
                missed.addLast(step);
            }
        }
    }

    private final Journal journal;
    private volatile @Nullable Outage outage;

    Log(Journal journal) {
        this.journal = journal;
    }

    /** Whether the journal does not work. */
    boolean failing() {
        return outage != null;
    }

    Mono<Void> append(Commit commit) {
        Outage current = outage;
        if (current == null) {
            return journal.append(commit);
        }
        current.keep(commit.steps());
        return current.memory.append(commit);
    }

    Mono<FramePage> frames(long rev, int limit) {
        Outage current = outage;
        return current == null ? journal.frames(rev, limit) : current.memory.frames(rev, limit);
    }

    /** Goes on in memory from {@code place}. */
    Mono<Void> fail(Position place) {
        Outage begun = new Outage();
        return begun.memory
                .restart(new Snapshot(place, List.of(), Map.of()), List.of())
                .then(Mono.fromRunnable(() -> outage = begun));
    }

    /** How long to wait before the next {@link #restart}; longer each time. */
    Duration patience() {
        Outage current = outage;
        if (current == null) {
            return FIRST_TRY;
        }
        Duration wait = current.wait;
        Duration twice = wait.multipliedBy(2);
        current.wait = twice.compareTo(LONGEST_WAIT) < 0 ? twice : LONGEST_WAIT;
        return wait;
    }

    /** Has the journal begin anew with all that is known; when that succeeds, commits go to it again. */
    Mono<Void> restart(Snapshot known) {
        Outage current = outage;
        return current == null
                ? Mono.empty()
                : journal.restart(known, List.copyOf(current.missed)).then(Mono.fromRunnable(() -> {
                    if (current.dropped > 0) {
                        log.warn("{} events of the time without a journal were not kept", current.dropped);
                    }
                    outage = null;
                }));
    }

    Mono<Void> close() {
        return journal.close();
    }
}
