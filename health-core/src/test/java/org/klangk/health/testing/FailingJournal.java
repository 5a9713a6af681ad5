package org.klangk.health.testing;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.klangk.health.pipeline.Commit;
import org.klangk.health.pipeline.Snapshot;
import org.klangk.health.pipeline.Step;
import reactor.core.publisher.Mono;

/** A journal that fails to write while a test wants it to. */
public final class FailingJournal extends ForwardingJournal {
    private volatile @Nullable String trouble;
    private volatile int refused;

    /** Writing fails with this from now on; null for not any more. */
    public void fail(@Nullable String message) {
        trouble = message;
    }

    /** How often it was asked to begin anew, and failed. */
    public int refused() {
        return refused;
    }

    private Mono<Void> unlessFailing(Mono<Void> work) {
        return Mono.defer(() -> {
            String message = trouble;
            return message == null ? work : Mono.error(new IllegalStateException(message));
        });
    }

    @Override
    public Mono<Void> append(Commit commit) {
        return unlessFailing(super.append(commit));
    }

    @Override
    @SuppressWarnings("NonAtomicVolatileUpdate") // the writer alone calls it
    public Mono<Void> restart(Snapshot known, List<Step> missed) {
        return unlessFailing(super.restart(known, missed)).doOnError(error -> refused++);
    }

    @Override
    public Mono<Void> alive(Instant now) {
        return unlessFailing(super.alive(now));
    }
}
