package org.klangk.health.transport.local;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.klangk.health.probe.Probe;
import org.klangk.health.probe.ProbeRequest;
import org.klangk.health.probe.ProbeResult;
import org.klangk.health.random.Unguessable;
import org.klangk.health.transport.check.Attempt;
import org.klangk.health.transport.check.CheckOutput;
import org.klangk.health.transport.check.CheckScript;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/**
 * One process of this machine per check. Pipes of the JDK block, so a run holds two threads while it is under way; a workspace
 * never has more than one run.
 */
final class LocalProbe implements Probe {
    /** The script has ended; what it wrote may still be on its way. */
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
        return Attempt.run(this::attempt, request, null);
    }

    private Mono<Attempt> attempt(ProbeRequest request, String mark, @Nullable String lost) {
        return Mono.fromCallable(() -> begin(request, mark, lost))
                .subscribeOn(blocking)
                .flatMap(begun -> begun)
                .timeout(
                        request.timeout().plus(CheckScript.PATIENCE),
                        Mono.just(nothing("the check did not end", false)))
                .onErrorResume(
                        error -> Mono.just(nothing("this machine could not run it: " + error.getMessage(), true)));
    }

    private static Attempt nothing(String why, boolean traced) {
        return new Attempt(new ProbeResult.NoResult(why), traced);
    }

    /** Looks whether the check can run. Blocks. */
    private Mono<Attempt> begin(ProbeRequest request, String mark, @Nullable String lost) throws IOException {
        if (!running.test(request.containerId())) {
            return Mono.just(nothing("the service does not run", true));
        }
        Path home = request.home() == null ? machine.home(request.workspaceId()) : Path.of(request.home());
        Path workdir = request.workdir() == null ? home : Path.of(request.workdir());
        if (!Files.isDirectory(workdir) || !Files.isExecutable(workdir)) {
            String why = "working directory '" + workdir + "' cannot be entered";
            return Mono.just(new Attempt(ProbeResult.Completed.couldNotRun(why), true));
        }
        String nonce = Unguessable.hex(16);
        List<String> command = script.once(request, nonce, mark, lost);
        return Mono.using(
                () -> Machine.start(command, home, workdir),
                process -> finish(process, request, new CheckOutput(nonce)),
                // The end of its input is what ends a check.
                Machine::closeInput);
    }

    private Mono<Attempt> finish(Process process, ProbeRequest request, CheckOutput output) {
        CompletableFuture<Void> drained = CompletableFuture.allOf(
                drain(process.getInputStream(), output, output::stdout, output::stdoutEnded),
                drain(process.getErrorStream(), output, output::stderr, output::stderrEnded));
        // Where the script was killed, somebody else may hold its outputs open.
        return Mono.fromFuture(process.onExit()
                        .thenCompose(ended -> drained.completeOnTimeout(null, DRAIN_MILLIS, TimeUnit.MILLISECONDS)))
                .then(Mono.fromSupplier(() -> told(request, output)));
    }

    private Attempt told(ProbeRequest request, CheckOutput output) {
        synchronized (output) {
            return running.test(request.containerId())
                    ? output.verdict()
                            .map(result -> new Attempt(result, true))
                            .orElseGet(() -> nothing("the check's exit was lost", false))
                    : nothing("the service ended during its check", output.ended());
        }
    }

    private CompletableFuture<Void> drain(InputStream from, CheckOutput output, Bytes to, BooleanSupplier ended) {
        return CompletableFuture.runAsync(() -> drainNow(from, output, to, ended), blocking::schedule);
    }

    /** Until the stream ends or the check's last line came on it. */
    private static void drainNow(InputStream from, CheckOutput output, Bytes to, BooleanSupplier ended) {
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
}
