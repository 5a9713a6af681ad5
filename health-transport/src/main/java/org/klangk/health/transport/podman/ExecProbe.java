package org.klangk.health.transport.podman;

import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;
import org.klangk.health.probe.Probe;
import org.klangk.health.probe.ProbeRequest;
import org.klangk.health.probe.ProbeResult;
import org.klangk.health.random.Unguessable;
import org.klangk.health.transport.check.Attempt;
import org.klangk.health.transport.check.CheckOutput;
import org.klangk.health.transport.check.CheckScript;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * One exec per check, by container id. The check runs under a small script that keeps its deadline inside the container and ends
 * it when our side of standard input closes, so that neither a timeout, nor a cancelled run, nor the death of this process
 * leaves anything behind. A verdict comes only from the script's last line: an exec that ends without it says nothing, and what
 * it may have left is ended by another exec.
 */
final class ExecProbe implements Probe {
    private final Execs execs;
    private final CheckScript script;

    ExecProbe(Execs execs, CheckScript script) {
        this.execs = execs;
        this.script = script;
    }

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
        return Attempt.run(this::attempt, request, lost);
    }

    /** Ends what is left of the run with the mark {@code lost}. */
    Mono<Void> sweep(ProbeRequest request, String lost) {
        return Attempt.sweep(this::attempt, request, lost);
    }

    private Mono<Attempt> attempt(ProbeRequest request, String mark, @Nullable String lost) {
        return Mono.defer(() -> {
                    String nonce = Unguessable.hex(16);
                    CheckOutput output = new CheckOutput(nonce);
                    return execs.attach(
                            request,
                            script.once(request, nonce, mark, lost),
                            (id, connection) -> read(connection.inbound().receive(), output)
                                    // Closing our side ends standard input, and with it whatever still runs.
                                    .doFinally(end -> connection.dispose())
                                    .map(result -> new Attempt(result, true))
                                    .switchIfEmpty(Mono.defer(() -> lost(id, output, request)))
                                    .flatMap(attempt -> execs.forget(id).thenReturn(attempt)));
                })
                .timeout(
                        request.timeout().plus(CheckScript.PATIENCE),
                        Mono.just(new Attempt(new ProbeResult.NoResult("the exec did not end"), false)))
                .onErrorResume(error -> Mono.just(new Attempt(ExecFailure.of(error, request), true)));
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
    private Mono<Attempt> lost(String execId, CheckOutput output, ProbeRequest request) {
        return execs.ended(execId)
                .map(ended -> ended.known()
                        ? ExecFailure.ended(ended.exitCode(), output.tail(), request)
                        : new ProbeResult.NoResult("the exec was lost"))
                .map(result -> new Attempt(result, !output.begun()));
    }
}
