package org.klangk.health.writer;

import java.util.List;
import java.util.function.Consumer;
import org.klangk.health.event.HealthEvent;
import org.klangk.health.pipeline.Candidate;
import reactor.core.publisher.Sinks;

/**
 * A command that waits for its turn, and whoever waits for its answer.
 *
 * @param command what is asked
 * @param reply where the answer goes
 */
record Pending<R>(Command<R> command, Sinks.One<R> reply) {

    static <R> Pending<R> of(Command<R> command) {
        return new Pending<>(command, Sinks.one());
    }

    /** Decides and folds; gives back what to do once it is committed. */
    Runnable run(Candidate candidate, Stamp stamp, Consumer<List<HealthEvent>> fold) {
        Decision<R> decision = command.decide(candidate, stamp);
        fold.accept(decision.events());
        R answer = decision.answer().apply(candidate);
        return () -> reply.tryEmitValue(answer);
    }

    void fail(Throwable error) {
        reply.tryEmitError(error);
    }
}
