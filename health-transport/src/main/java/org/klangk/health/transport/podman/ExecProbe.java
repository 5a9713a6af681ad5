package org.klangk.health.transport.podman;

import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;
import org.klangk.health.probe.Probe;
import org.klangk.health.probe.ProbeRequest;
import org.klangk.health.probe.ProbeResult;
import org.klangk.health.random.Unguessable;
import org.klangk.health.transport.check.CheckOutput;
import org.klangk.health.transport.check.CheckScript;
import org.klangk.health.workspace.HealthCheck;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * One exec per check, by container id. The check runs under a small script that keeps its deadline inside the container and ends
 * it when our side of standard input closes, so that neither a timeout, nor a cancelled run, nor the death of this process
 * leaves anything behind. A verdict comes only from the script's last line: an exec that ends without it says nothing, and what
 * it may have left is ended by another exec.
 */
final class ExecProbe implements Probe {
    private static final HealthCheck NOTHING = new HealthCheck(":");

    private final Execs execs;
    private final CheckScript script;

    ExecProbe(Execs execs, CheckScript script) {
        this.execs = execs;
        this.script = script;
    }

    /**
     * A run that is over.
     *
     * @param result what became of it
     * @param traced whether it is known how it ended; otherwise something of it may still be there
     */
    private record Run(ProbeResult result, boolean traced) {}

    @Override
    public boolean opens(ProbeRequest request) {
        return true;
    }

    @Override
    public Mono<ProbeResult> run(ProbeRequest request) {
        return run(request, null);
    }

    /** Ends first what is left of the run with the mark {@code lost}, where there is one. */
    Mono<ProbeResult> run(ProbeRequest request, @Nullable String lost) {
        return Mono.defer(() -> {
            String mark = Unguessable.hex(16);
            return once(request, mark, lost)
                    .flatMap(run -> run.traced()
                            ? Mono.just(run.result())
                            : once(request.running(NOTHING), Unguessable.hex(16), mark)
                                    .thenReturn(run.result()));
        });
    }

    private Mono<Run> once(ProbeRequest request, String mark, @Nullable String lost) {
        return Mono.defer(() -> {
                    String nonce = Unguessable.hex(16);
                    CheckOutput output = new CheckOutput(nonce);
                    return execs.attach(
                            request,
                            script.once(request, nonce, mark, lost),
                            (id, connection) -> read(connection.inbound().receive(), output)
                                    // Closing our side ends standard input, and with it whatever still runs.
                                    .doFinally(end -> connection.dispose())
                                    .map(result -> new Run(result, true))
                                    .switchIfEmpty(Mono.defer(() -> lost(id, output, request)))
                                    .flatMap(run -> execs.forget(id).thenReturn(run)));
                })
                .timeout(
                        request.timeout().plus(CheckScript.PATIENCE),
                        Mono.just(new Run(new ProbeResult.NoResult("the exec did not end"), true)))
                .onErrorResume(error -> Mono.just(new Run(ExecFailure.of(error, request), true)));
    }

    /** Drains the streams until the script tells how the check ended; empty when it never does. */
    private static Mono<ProbeResult> read(Flux<ByteBuf> received, CheckOutput output) {
        StreamDecoder decoder = new StreamDecoder(
                (stream, bytes, offset, length) -> Execs.deliver(stream, bytes, offset, length, output));
        return received.doOnNext(decoder::decode)
                .takeUntil(buffer -> output.ended())
                .then(Mono.defer(() -> Mono.justOrEmpty(output.verdict())));
    }

    /** No last line: the exec never ran, or something killed the script, or the container is gone. */
    private Mono<Run> lost(String execId, CheckOutput output, ProbeRequest request) {
        return execs.ended(execId)
                .map(ended -> ended.known()
                        ? ExecFailure.ended(ended.exitCode(), output.tail(), request)
                        : new ProbeResult.NoResult("the exec was lost"))
                .map(result -> new Run(result, !output.begun()));
    }
}
