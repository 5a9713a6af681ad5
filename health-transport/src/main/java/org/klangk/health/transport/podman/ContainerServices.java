package org.klangk.health.transport.podman;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import org.klangk.health.event.ContainerRun;
import org.klangk.health.probe.ProbeRequest;
import org.klangk.health.runtime.RefusedException;
import org.klangk.health.transport.check.Script;
import org.klangk.health.transport.service.ServiceLog;
import org.klangk.health.workspace.HealthCheck;
import org.klangk.health.workspace.Workspace;
import org.klangk.health.workspace.WorkspaceId;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * Service commands, each in an exec of its own as a login shell. A service outlives this process and Podman's own: it is its
 * container's. It is known again by the workspace's id in its environment; what it prints is kept for as long as both run.
 */
final class ContainerServices {
    /** Between asking a service to end and ending it. */
    private static final Duration GRACE = Duration.ofSeconds(2);

    private static final Duration ENDING = GRACE.plusSeconds(10);
    private static final String SCRIPT = Script.withSweep(ContainerServices.class, "service.sh");

    /** A service that this process did not start is running, or was, with nobody to hear it. */
    private static final String UNHEARD = "what it printed since the server was started is not here";

    private static final Logger log = LoggerFactory.getLogger(ContainerServices.class);

    private final Execs execs;
    private final Path directory;
    /** What is written to for services that this process tried to start. */
    private final Map<WorkspaceId, ServiceLog> heard = new ConcurrentHashMap<>();

    private final Scheduler blocking = Schedulers.newBoundedElastic(2, Integer.MAX_VALUE, "klangk-service-log");

    /** @param directory where what they print is kept */
    ContainerServices(Execs execs, Path directory) {
        this.execs = execs;
        this.directory = directory;
    }

    private static List<String> command(String doing, WorkspaceId id, String last) {
        return List.of("bash", "-c", SCRIPT, "klangk-service", doing, id.value(), last);
    }

    private static ProbeRequest request(Workspace workspace, ContainerRun run) {
        HealthCheck service = new HealthCheck(Objects.requireNonNull(workspace.serviceCommand()));
        return ProbeRequest.of(workspace, service, run, 0);
    }

    private ServiceLog output(WorkspaceId id) {
        return new ServiceLog(directory.resolve(id.value() + ".log"));
    }

    /** As {@code ContainerRuntime.serve}; empty for a workspace without a service command. */
    Mono<Boolean> serve(Workspace workspace, ContainerRun run) {
        if (workspace.serviceCommand() == null) {
            return Mono.empty();
        }
        ProbeRequest request = request(workspace, run);
        ServiceLog kept = output(workspace.id());
        return ServiceExec.start(
                        execs, request, command("start", workspace.id(), workspace.serviceCommand()), kept, blocking)
                .onErrorMap(PodmanException.class, error -> {
                    String lacking = ExecFailure.lacking(error, request);
                    return lacking == null ? error : new RefusedException(lacking);
                })
                .publishOn(blocking)
                .doOnNext(started -> {
                    if (started) {
                        heard.put(workspace.id(), kept);
                    }
                })
                .doOnError(RefusedException.class, error -> {
                    heard.put(workspace.id(), kept);
                    kept.note("could not be started: " + error.getMessage());
                });
    }

    /**
     * Ends the workspace's service; completes when nothing of it is left, or that could not be seen to.
     *
     * @param run its container's present run, empty where none runs
     */
    Mono<Void> end(Workspace workspace, Mono<ContainerRun> run) {
        return run.flatMap(running -> stop(workspace, running))
                .timeout(ENDING)
                .onErrorResume(error -> {
                    log.warn("the service of workspace {} may still run: {}", workspace.id(), error.getMessage());
                    return Mono.empty();
                })
                .then();
    }

    private Mono<Boolean> stop(Workspace workspace, ContainerRun run) {
        return execs.attach(
                request(workspace, run),
                command("stop", workspace.id(), Long.toString(GRACE.toMillis() / 100)),
                (id, connection) -> connection
                        .inbound()
                        .receive()
                        .then(execs.forget(id))
                        .thenReturn(true)
                        .doFinally(done -> connection.dispose()));
    }

    /** The end of what the service printed. */
    Mono<byte[]> output(WorkspaceId id, int bytes) {
        return Mono.fromCallable(() -> {
                    ServiceLog kept = output(id);
                    byte[] tail = kept.tail(bytes);
                    if (tail.length > 0 && heard.putIfAbsent(id, kept) == null) {
                        kept.note(UNHEARD);
                        return kept.tail(bytes);
                    }
                    return tail;
                })
                .subscribeOn(blocking);
    }

    /** Keeps nothing any more of what it printed, nor of what is still said of its end. */
    Mono<Void> forget(WorkspaceId id) {
        return Mono.<Void>fromRunnable(() -> {
                    ServiceLog kept = heard.remove(id);
                    (kept == null ? output(id) : kept).delete();
                })
                .subscribeOn(blocking);
    }

    void close() {
        blocking.dispose();
    }
}
