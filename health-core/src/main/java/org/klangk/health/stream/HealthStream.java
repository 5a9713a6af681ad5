package org.klangk.health.stream;

import java.util.List;
import org.klangk.health.frame.Frame;
import org.klangk.health.frame.ServiceHealth;
import org.klangk.health.frame.View;
import reactor.core.publisher.Flux;

/**
 * What subscribers hold: a snapshot of how things are, then every change, in order, each once, nothing in between missing.
 *
 * <p>Each subscription is a cursor in the log with a demand of its own: one that falls behind is fed from the log at its own
 * pace and costs the others nothing. Signals arrive on a delivery scheduler, never on the writer's thread. The stream
 * completes when the service stops; it fails only when the log cannot be read.
 */
public interface HealthStream {
    /** Watches; cold, may be subscribed any number of times. */
    default Flux<Frame> watch(WatchRequest request) {
        return watchTogether(request).concatMapIterable(frames -> frames, 1);
    }

    /**
     * The same, the frames that are there together: for those who hand frames on, to whom many at once cost little more than
     * one. No list is empty; how frames are grouped means nothing.
     */
    Flux<List<Frame>> watchTogether(WatchRequest request);

    /** The verdicts only: each judged workspace's now, then each turn. */
    default Flux<ServiceHealth> verdicts() {
        return watch(WatchRequest.all().view(View.KLANGK)).ofType(ServiceHealth.class);
    }
}
