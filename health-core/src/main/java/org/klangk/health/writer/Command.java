package org.klangk.health.writer;

import org.klangk.health.pipeline.Board;

/**
 * Something the writer is asked to decide: which events it leads to, given what is known. Runs on the writer's thread and must
 * not block; an exception refuses the command and changes nothing.
 *
 * @param <R> what it answers
 */
@FunctionalInterface
public interface Command<R> {
    /**
     * Decides.
     *
     * @param board what is known, earlier commands of the same batch included
     * @param stamp the time
     */
    Decision<R> decide(Board board, Stamp stamp);
}
