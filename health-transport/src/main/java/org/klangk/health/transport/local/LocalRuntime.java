package org.klangk.health.transport.local;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.klangk.health.probe.Probe;
import org.klangk.health.runtime.ContainerInfo;
import org.klangk.health.runtime.ContainerInfo.Status;
import org.klangk.health.runtime.ContainerRuntime;
import org.klangk.health.runtime.RuntimeEvent;
import org.klangk.health.runtime.RuntimeEvent.Death;
import org.klangk.health.runtime.RuntimeEvent.Touched;
import org.klangk.health.transport.service.ServiceLog;
import org.klangk.health.workspace.InvalidWorkspaceException;
import org.klangk.health.workspace.InvalidWorkspaceException.Violation;
import org.klangk.health.workspace.ProbeKind;
import org.klangk.health.workspace.Workspace;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Flux;
import reactor.core.publisher.FluxSink;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * Services as processes of this machine, where there is no Podman. What a container is elsewhere, a run of the workspace's
 * service command is here; a workspace without one has the machine itself for its container. Each workspace has a directory
 * that is {@code HOME} of its service and its checks. Everything ends with this process, whatever ends that.
 *
 * <p>May be used on any thread; signals arrive on its own.
 */
public final class LocalRuntime implements ContainerRuntime {
    /** The name of the container that is this machine; no workspace can have it for its id. */
    public static final String MACHINE = "local.host";

    private static final int MAX_THREADS = 10_000;
    private static final int IDLE_SECONDS = 30;
    private static final Duration CLOSING = Duration.ofSeconds(6);
    private static final Logger log = LoggerFactory.getLogger(LocalRuntime.class);

    private final Clock clock = Clock.systemUTC();
    private final Machine machine;
    private final ContainerInfo thisMachine =
            new ContainerInfo(MACHINE, MACHINE, Status.RUNNING, Machine.startedAt(), null);
    private final Scheduler blocking = Schedulers.fromExecutorService(
            new ThreadPoolExecutor(
                    0, MAX_THREADS, IDLE_SECONDS, TimeUnit.SECONDS, new SynchronousQueue<>(), LocalRuntime::thread),
            "klangk-local");
    private final Map<String, LocalService> services = new ConcurrentHashMap<>();
    private final Set<FluxSink<RuntimeEvent>> watchers = ConcurrentHashMap.newKeySet();
    private final Probe probe;

    /** Not an elastic scheduler of Reactor's: that takes a thread for free whose task was given up and still blocks. */
    private static Thread thread(Runnable task) {
        Thread thread = new Thread(task, "klangk-local");
        thread.setDaemon(true);
        return thread;
    }

    private LocalRuntime(Path directory) {
        machine = new Machine(directory);
        probe = new LocalProbe(machine, this::runs, blocking);
    }

    /**
     * A runtime whose workspaces have their directories in {@code directory}.
     *
     * @throws IllegalStateException when this machine lacks what every check needs
     */
    public static LocalRuntime in(Path directory) {
        String missing = Machine.missing();
        if (missing != null) {
            throw new IllegalStateException("services cannot run as local processes: " + missing);
        }
        return new LocalRuntime(directory);
    }

    private boolean runs(String id) {
        ContainerInfo info = find(id);
        return info != null && info.status() == Status.RUNNING;
    }

    private @Nullable ContainerInfo find(String id) {
        LocalService service = services.get(id);
        return id.equals(MACHINE) ? thisMachine : service == null ? null : service.info();
    }

    @Override
    public void require(Workspace workspace) {
        List<Violation> wrong = new ArrayList<>();
        refuse(
                "container",
                workspace.image() == null ? workspace.container() : null,
                "services are local processes; service_command is accepted",
                wrong);
        refuse("image", workspace.image(), "services are local processes; service_command is accepted", wrong);
        refuse("user", workspace.user(), "services are local processes of one user", wrong);
        if (!wrong.isEmpty()) {
            throw new InvalidWorkspaceException(wrong);
        }
    }

    private static void refuse(String field, @Nullable String value, String why, List<Violation> wrong) {
        if (value != null) {
            wrong.add(new Violation(field, "is '" + value + "'; on this server " + why));
        }
    }

    @Override
    public String ref(Workspace workspace) {
        return workspace.serviceCommand() == null ? MACHINE : workspace.id().value();
    }

    @Override
    public boolean runsTheService(Workspace workspace) {
        return workspace.serviceCommand() != null;
    }

    @Override
    public Mono<Void> launch(Workspace workspace) {
        String command = workspace.serviceCommand();
        return command == null
                ? Mono.empty()
                : Mono.<Void>fromCallable(() -> {
                            start(workspace, command);
                            return null;
                        })
                        .subscribeOn(blocking);
    }

    @SuppressWarnings("FutureReturnValueIgnored") // the event is what tells it
    private synchronized void start(Workspace workspace, String command) throws IOException {
        String id = ref(workspace);
        if (runs(id)) {
            return;
        }
        Path home = workspace.home() == null ? machine.home(workspace.id()) : Path.of(workspace.home());
        Path workdir = workspace.workdir() == null ? home : Path.of(workspace.workdir());
        Instant at = clock.instant();
        LocalService service = LocalService.start(id, command, home, workdir, at);
        services.put(id, service);
        Path file = machine.log(workspace.id());
        blocking.schedule(() -> service.keepOutput(file));
        tell(new Touched(id, id, null));
        service.ended().thenAccept(exitCode -> {
            log.debug("the service of workspace {} ended with {}", id, exitCode);
            tell(new Touched(id, id, new Death(exitCode, clock.instant(), service.stopRequested())));
        });
    }

    @Override
    public Mono<byte[]> output(Workspace workspace, int bytes) {
        return workspace.serviceCommand() == null
                ? Mono.empty()
                : Mono.fromCallable(() -> new ServiceLog(machine.log(workspace.id())).tail(bytes))
                        .subscribeOn(blocking);
    }

    @Override
    public Mono<Void> release(Workspace workspace) {
        return Mono.defer(() -> {
            LocalService service = services.get(ref(workspace));
            return service == null
                    ? Mono.empty()
                    : stop(service).doOnSuccess(done -> services.remove(ref(workspace), service));
        });
    }

    private static Mono<Void> stop(LocalService service) {
        service.stop();
        return Mono.fromFuture(service.ended(), true).then();
    }

    private void tell(RuntimeEvent event) {
        watchers.forEach(watcher -> watcher.next(event));
    }

    @Override
    public Flux<RuntimeEvent> watch() {
        return Flux.create(watcher -> {
            watchers.add(watcher);
            watcher.onDispose(() -> watchers.remove(watcher));
            watcher.next(new RuntimeEvent.Reachable());
            List<ContainerInfo> all = new ArrayList<>(List.of(thisMachine));
            services.values().forEach(service -> all.add(service.info()));
            watcher.next(new RuntimeEvent.Listed(all));
        });
    }

    @Override
    public Mono<ContainerInfo> inspect(String nameOrId) {
        return Mono.fromCallable(() -> find(nameOrId));
    }

    @Override
    public Probe probe(ProbeKind kind) {
        return probe;
    }

    @Override
    public Mono<Void> close() {
        return Flux.defer(() -> Flux.fromIterable(services.values()))
                .flatMap(LocalRuntime::stop, MAX_THREADS)
                .then()
                .timeout(CLOSING)
                .doFinally(end -> blocking.dispose());
    }
}
