package org.klangk.health.writer;

import java.util.List;
import java.util.function.Function;
import org.klangk.health.event.HealthEvent;
import org.klangk.health.pipeline.Board;

/**
 * What a command leads to.
 *
 * @param events what happens, in order; none is allowed
 * @param answer what to tell who asked, given what is known after the events; told only after they are committed
 */
public record Decision<R>(List<HealthEvent> events, Function<Board, R> answer) {

    public Decision {
        events = List.copyOf(events);
    }

    /** A decision whose answer does not depend on what is known afterwards. */
    public static <R> Decision<R> of(List<? extends HealthEvent> events, R answer) {
        return new Decision<>(List.copyOf(events), board -> answer);
    }
}
