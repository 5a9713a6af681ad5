package org.klangk.health.transport.local;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import org.klangk.health.probe.Probe;
import org.klangk.health.probe.ProbeRequest;
import org.klangk.health.probe.ProbeResult;
import org.klangk.health.random.Unguessable;
import org.klangk.health.transport.check.CheckOutput;
import org.klangk.health.transport.check.CheckScript;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoSink;
import reactor.core.scheduler.Scheduler;

/**
 * One process of this machine per check. Pipes of the JDK block, so a run holds two threads while it is under way; a workspace
 * never has more than one run.
 */
final class LocalProbe implements Probe {
    /** The check's last line is told on standard error; that on standard output, and the end of the script, may take a moment. */
    private static final long DRAIN_MILLIS = 500;

    private static final Logger log = LoggerFactory.getLogger(LocalProbe.class);

    private interface Bytes {
        void take(byte[] bytes, int offset, int length);
    }

    private final CheckScript script = new CheckScript();
    private final Machine machine;
    private final Predicate<String> running;
    private final Scheduler blocking;

    /**
     * A probe.
     *
     * @param running whether the service of this id runs
     * @param blocking may block, and has a thread for everybody
     */
    LocalProbe(Machine machine, Predicate<String> running, Scheduler blocking) {
        this.machine = machine;
        this.running = running;
        this.blocking = blocking;
    }

    @Override
    public Mono<ProbeResult> run(ProbeRequest request) {
        return Mono.<ProbeResult>create(sink -> {
                    try {
                        sink.success(run(request, sink));
                    } catch (IOException e) {
                        sink.success(new ProbeResult.NoResult("this machine could not run it: " + e.getMessage()));
                    }
                })
                .subscribeOn(blocking)
                .timeout(
                        request.timeout().plus(CheckScript.PATIENCE),
                        Mono.just(new ProbeResult.NoResult("the check did not end")));
    }

    private ProbeResult run(ProbeRequest request, MonoSink<ProbeResult> sink) throws IOException {
        if (!running.test(request.containerId())) {
            return new ProbeResult.NoResult("the service does not run");
        }
        Path home = request.home() == null ? machine.home(request.workspaceId()) : Path.of(request.home());
        Path workdir = request.workdir() == null ? home : Path.of(request.workdir());
        if (!Files.isDirectory(workdir) || !Files.isExecutable(workdir)) {
            return ProbeResult.Completed.couldNotRun("working directory '" + workdir + "' cannot be entered");
        }
        String nonce = Unguessable.hex(16);
        Process process = Machine.start(script.once(request, nonce, Unguessable.hex(16), null), home, workdir);
        // The end of its input is what ends a check.
        sink.onDispose(() -> Machine.closeInput(process));
        CheckOutput output = new CheckOutput(nonce);
        CompletableFuture<Void> stdout = CompletableFuture.runAsync(
                () -> drain(process.getInputStream(), output, output::stdout, output::stdoutEnded), blocking::schedule);
        drain(process.getErrorStream(), output, output::stderr, output::stderrEnded);
        await(stdout.thenCombine(process.onExit(), (drained, ended) -> ended));
        synchronized (output) {
            return running.test(request.containerId())
                    ? output.verdict().orElseGet(() -> new ProbeResult.NoResult("the check's exit was lost"))
                    : new ProbeResult.NoResult("the service ended during its check");
        }
    }

    /** Until the stream ends or the check's last line came on it. */
    private static void drain(InputStream from, CheckOutput output, Bytes to, BooleanSupplier ended) {
        byte[] buffer = new byte[8192];
        try {
            for (int read = from.read(buffer); read >= 0; read = from.read(buffer)) {
                synchronized (output) {
                    to.take(buffer, 0, read);
                    if (ended.getAsBoolean()) {
                        return;
                    }
                }
            }
        } catch (IOException e) {
            log.debug("the output of a check broke: {}", e.toString());
        }
    }

    private static void await(CompletableFuture<?> end) {
        try {
            end.get(DRAIN_MILLIS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException e) {
            log.debug("a check's output, or the script around it, did not end with it: {}", e.toString());
        }
    }
}
