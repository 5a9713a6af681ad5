package org.klangk.health.probe;

import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.klangk.health.state.WorkspaceHealth;
import reactor.core.publisher.Mono;

/** Where results go: to the writer. */
@FunctionalInterface
public interface ResultSink {
    /**
     * What the result led to.
     *
     * @param health the workspace after it, null when it is not watched any more
     * @param counted whether it counts for the verdict
     * @param at the event time
     */
    record Taken(@Nullable WorkspaceHealth health, boolean counted, Instant at) {}

    /** Takes a result; completes when it is committed. */
    Mono<Taken> take(RunReport report);
}
