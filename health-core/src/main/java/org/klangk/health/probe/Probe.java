package org.klangk.health.probe;

import reactor.core.publisher.Mono;

/**
 * Runs one check in its container. It returns, it never throws: what goes wrong is a {@link ProbeResult} too.
 *
 * <p>Implementations end everything the check started when its time is over, when the subscription is cancelled and when this
 * process dies. The time counts from the start of the check's process. Any number of runs may be under way, on any thread;
 * signals may arrive on any thread.
 */
@FunctionalInterface
public interface Probe {
    /** Runs the check once per subscription. */
    Mono<ProbeResult> run(ProbeRequest request);
}
