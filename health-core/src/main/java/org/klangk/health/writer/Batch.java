package org.klangk.health.writer;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.klangk.health.event.ClockJumped;
import org.klangk.health.event.HealthEvent;
import org.klangk.health.pipeline.Board;
import org.klangk.health.pipeline.Candidate;
import org.klangk.health.pipeline.Commit;
import org.klangk.health.pipeline.HealthPipeline;
import org.klangk.health.pipeline.Step;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Flux;

/** Commands decided together, on a candidate state that is committed as a whole or forgotten. On the writer's thread only. */
final class Batch {
    private static final Logger log = LoggerFactory.getLogger(Batch.class);

    private final Candidate candidate;
    private final List<Step> steps = new ArrayList<>();
    private final List<Pending<?>> decided = new ArrayList<>();
    private final List<Runnable> answers = new ArrayList<>();

    Batch(Board committed) {
        candidate = new Candidate(committed);
    }

    /** Decides one more command, or refuses it. */
    void decide(Pending<?> pending, Stamper.Reading reading) {
        Stamp stamp = reading.stamp();
        Duration jump = reading.jump();
        if (jump != null) {
            log.warn("the wall clock jumped by {}", jump);
            fold(List.of(new ClockJumped(stamp.at(), jump)));
        }
        try {
            answers.add(pending.run(candidate, stamp, this::fold));
            decided.add(pending);
        } catch (RuntimeException refused) {
            pending.fail(refused);
        }
    }

    private void fold(List<HealthEvent> events) {
        if (events.isEmpty()) {
            return;
        }
        Flux.fromIterable(events).transform(HealthPipeline.into(candidate)).subscribe(steps::add, error -> {
            throw new IllegalStateException("an event could not be folded", error);
        });
    }

    int size() {
        return decided.size();
    }

    boolean isEmpty() {
        return decided.isEmpty() && steps.isEmpty();
    }

    Commit commit() {
        return candidate.commit(steps);
    }

    /** Tells everybody who asked; after the commit. */
    void answer() {
        answers.forEach(Runnable::run);
    }

    /** The commands, to be decided again or failed. */
    List<Pending<?>> decided() {
        return decided;
    }
}
