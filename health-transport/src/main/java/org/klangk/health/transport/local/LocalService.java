package org.klangk.health.transport.local;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.klangk.health.event.StopCause;
import org.klangk.health.random.Unguessable;
import org.klangk.health.runtime.ContainerInfo;
import org.klangk.health.runtime.ContainerInfo.Status;
import org.klangk.health.transport.check.Script;
import org.klangk.health.transport.service.ServiceLog;

/** One run of one workspace's service. It ends when this process does, whatever ends that. */
final class LocalService {
    /** Between asking a service to end and ending it. */
    static final Duration GRACE = Duration.ofSeconds(2);

    /** Read before anybody waits for a service. */
    private static final String SCRIPT = Script.withSweep(LocalService.class, "service.sh");

    private final String id;
    private final Instant startedAt;
    private final Process process;
    private final CompletableFuture<Integer> ended;
    private volatile boolean stopRequested;

    private LocalService(String id, Instant startedAt, Process process) {
        this.id = id;
        this.startedAt = startedAt;
        this.process = process;
        ended = process.onExit().thenApply(Process::exitValue);
    }

    /** Starts it. Blocks. */
    static LocalService start(String id, String command, Path home, Path workdir, Instant at) throws IOException {
        List<String> words = List.of(
                "bash",
                "-p",
                "-c",
                SCRIPT,
                "klangk-service",
                Unguessable.hex(16),
                Long.toString(GRACE.toMillis() / 100),
                command);
        return new LocalService(id, at, Machine.start(words, home, workdir));
    }

    /** Copies what it prints into {@code file} until it ends. Blocks. */
    void keepOutput(Path file) {
        new ServiceLog(file).keep(process.getInputStream());
    }

    /** Its exit code, once it ended and nothing of it is left. */
    CompletableFuture<Integer> ended() {
        return ended;
    }

    /** Asks it to end, and ends it {@link #GRACE} later. */
    void stop() {
        stopRequested = true;
        Machine.closeInput(process);
    }

    boolean stopRequested() {
        return stopRequested;
    }

    ContainerInfo info() {
        Integer exitCode = ended.getNow(null);
        StopCause cause =
                exitCode == null ? null : stopRequested ? StopCause.requested(exitCode) : StopCause.exited(exitCode);
        return new ContainerInfo(id, id, exitCode == null ? Status.RUNNING : Status.STOPPED, startedAt, cause);
    }
}
