package org.klangk.health.transport.check;

import org.jspecify.annotations.Nullable;
import org.klangk.health.probe.ProbeRequest;
import org.klangk.health.probe.ProbeResult;
import org.klangk.health.random.Unguessable;
import org.klangk.health.workspace.HealthCheck;
import reactor.core.publisher.Mono;

/**
 * One attempt to run a check under {@code once.sh}, when it is over.
 *
 * @param result what became of it
 * @param traced whether the script told how it ended, or never began; otherwise something of the check may still be there
 */
public record Attempt(ProbeResult result, boolean traced) {
    private static final HealthCheck NOTHING = new HealthCheck(":");

    /** A way to make an attempt; {@code mark} and {@code lost} as {@link CheckScript#once} takes them. */
    @FunctionalInterface
    public interface Way {
        /** Makes one attempt; never fails. */
        Mono<Attempt> run(ProbeRequest request, String mark, @Nullable String lost);
    }

    /** Runs a check, and ends what it left if nobody saw its end. */
    public static Mono<ProbeResult> run(Way way, ProbeRequest request, @Nullable String lost) {
        return Mono.defer(() -> {
            String mark = Unguessable.hex(16);
            return way.run(request, mark, lost)
                    .flatMap(attempt -> attempt.traced()
                            ? Mono.just(attempt.result())
                            : sweep(way, request, mark).thenReturn(attempt.result()));
        });
    }

    /** Ends what is left of the check with the mark {@code lost}. */
    public static Mono<Void> sweep(Way way, ProbeRequest request, String lost) {
        return Mono.defer(() -> way.run(request.running(NOTHING), Unguessable.hex(16), lost))
                .then();
    }
}
