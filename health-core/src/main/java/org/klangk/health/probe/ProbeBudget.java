package org.klangk.health.probe;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import reactor.core.Disposable;
import reactor.core.scheduler.Scheduler;

/**
 * Limits how many checks are starting at once, because starting is what costs: a slot is given back when its run ends, or
 * after a moment when it goes on, so that hung checks starve nobody. First come, first served. Used on one thread only, the
 * scheduler's.
 */
final class ProbeBudget {
    /** How long a run may hold its slot. */
    static final Duration HOLD = Duration.ofMillis(250);

    private final int slots;
    private final Scheduler timer;
    private final Deque<Turn> waiting = new ArrayDeque<>();
    private int taken;

    ProbeBudget(int slots, Scheduler timer) {
        this.slots = slots;
        this.timer = timer;
    }

    /** A place in the queue, then a slot. */
    final class Turn {
        private final Runnable start;
        private boolean holds;
        private Disposable release = () -> {};

        private Turn(Runnable start) {
            this.start = start;
        }

        private void begin() {
            taken++;
            holds = true;
            release = timer.schedule(this::end, HOLD.toMillis(), TimeUnit.MILLISECONDS);
            start.run();
        }

        /** Gives up the place or the slot; does nothing when it has neither. */
        void end() {
            release.dispose();
            if (holds) {
                holds = false;
                taken--;
                admit();
            } else {
                waiting.remove(this);
            }
        }
    }

    /** Calls {@code start} when there is a slot, which may be at once. */
    Turn queue(Runnable start) {
        Turn turn = new Turn(start);
        waiting.addLast(turn);
        admit();
        return turn;
    }

    private void admit() {
        while (taken < slots && !waiting.isEmpty()) {
            waiting.removeFirst().begin();
        }
    }
}
