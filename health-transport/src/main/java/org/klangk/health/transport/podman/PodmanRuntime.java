package org.klangk.health.transport.podman;

import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.klangk.health.event.ContainerRun;
import org.klangk.health.probe.Probe;
import org.klangk.health.runtime.ContainerInfo;
import org.klangk.health.runtime.ContainerRuntime;
import org.klangk.health.runtime.RuntimeEvent;
import org.klangk.health.transport.check.CheckScript;
import org.klangk.health.workspace.ProbeKind;
import org.klangk.health.workspace.Workspace;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Containers of a Podman, by its Unix socket. May be used on any thread; signals arrive on its event loops. */
public final class PodmanRuntime implements ContainerRuntime {
    private static final Duration PING = Duration.ofSeconds(5);
    private static final Duration ANSWER = Duration.ofSeconds(5);
    private static final Duration LIST_AGAIN = Duration.ofMinutes(3);
    private static final Duration RETRY = Duration.ofMillis(500);
    private static final List<String> ACTIONS =
            List.of("start", "died", "stop", "pause", "unpause", "remove", "cleanup", "rename");

    private final PodmanClient client;
    private final Probe exec;
    private final SessionProbe session;
    private final MadeContainers made;
    private final @Nullable ContainerServices services;

    private PodmanRuntime(Path socket, @Nullable Path output, SessionLimits limits) {
        client = new PodmanClient(socket);
        Execs execs = new Execs(client);
        CheckScript script = new CheckScript();
        ExecProbe single = new ExecProbe(execs, script);
        exec = single;
        session = new SessionProbe(execs, script, single, limits);
        made = new MadeContainers(client);
        services = output == null ? null : new ContainerServices(execs, output);
    }

    /**
     * A runtime for the Podman that serves {@code socket}, which starts no service commands; nothing is connected before it is
     * used.
     */
    public static PodmanRuntime connect(Path socket) {
        return connect(socket, SessionLimits.standard());
    }

    static PodmanRuntime connect(Path socket, SessionLimits limits) {
        return new PodmanRuntime(socket, null, limits);
    }

    /** The same, which starts service commands, and keeps what they print in the directory {@code output}. */
    public static PodmanRuntime serving(Path socket, Path output) {
        return new PodmanRuntime(socket, output, SessionLimits.standard());
    }

    /** Whether Podman answers; the version of its interface, or an error. */
    public Mono<String> ping() {
        return client.ping().timeout(ANSWER);
    }

    /** Containers and images of this program's own. */
    public PodmanContainers containers() {
        return new PodmanContainers(client);
    }

    @Override
    public Flux<RuntimeEvent> watch() {
        return Flux.defer(() -> watchOnce(new ContainerEvents()))
                .onErrorResume(error -> Flux.just(new RuntimeEvent.Unreachable(describe(error))))
                .concatWith(Mono.delay(RETRY).then(Mono.empty()))
                .repeat();
    }

    /** Until the stream of events breaks: lists, then events since the moment before the list. */
    private Flux<RuntimeEvent> watchOnce(ContainerEvents events) {
        return Flux.defer(() -> {
            long since = Clock.systemUTC().instant().getEpochSecond() - 1;
            Flux<RuntimeEvent> happenings = client.stream("/events?stream=true&since=" + since + "&filters="
                            + PodmanClient.query(Map.of("type", List.of("container"), "event", ACTIONS)))
                    .concatMapIterable(new Lines()::append)
                    .filter(line -> !line.isBlank())
                    .concatMap(line -> Mono.justOrEmpty(events.read(PodmanClient.parse(line))));
            Flux<RuntimeEvent> pings =
                    Flux.interval(PING).onBackpressureDrop().concatMap(tick -> ping().then(Mono.empty()), 1);
            Flux<RuntimeEvent> lists =
                    Flux.interval(LIST_AGAIN).onBackpressureDrop().concatMap(tick -> list(), 1);
            return list().flatMapMany(listed -> Flux.concat(
                    Flux.just(new RuntimeEvent.Reachable(), listed),
                    Flux.merge(happenings.materialize(), pings.materialize(), lists.materialize())
                            .<RuntimeEvent>dematerialize()));
        });
    }

    private Mono<RuntimeEvent> list() {
        return client.get("/containers/json?all=true")
                .map(json -> (RuntimeEvent) new RuntimeEvent.Listed(Containers.listed(json)))
                .timeout(ANSWER.multipliedBy(3));
    }

    private static String describe(Throwable error) {
        String message = error.getMessage();
        return "Podman does not answer: "
                + (message == null || message.isBlank() ? error.getClass().getSimpleName() : message);
    }

    @Override
    public Mono<ContainerInfo> inspect(String nameOrId) {
        return client.find("/containers/" + PodmanClient.encode(nameOrId) + "/json")
                .map(Containers::inspected)
                .timeout(ANSWER);
    }

    /** Podman gives a container its image's labels too: what the image has as well is taken for the image's. */
    @Override
    public Mono<Map<String, String>> labels(ContainerInfo container) {
        return client.get("/containers/" + container.id() + "/json")
                .flatMap(json -> client.get("/images/" + json.path("Image").asText() + "/json")
                        .map(image -> Containers.labels(image.path("Labels")))
                        .map(ofImage -> {
                            Map<String, String> labels = new HashMap<>(
                                    Containers.labels(json.path("Config").path("Labels")));
                            labels.entrySet().removeAll(ofImage.entrySet());
                            return Map.copyOf(labels);
                        }))
                .timeout(ANSWER);
    }

    @Override
    public Mono<Void> launch(Workspace workspace) {
        return workspace.image() == null ? Mono.empty() : made.start(workspace);
    }

    @Override
    public Mono<Boolean> serve(Workspace workspace, ContainerRun run) {
        return services == null ? Mono.empty() : services.serve(workspace, run);
    }

    /** A container of ours goes whole; in another one the service ends. */
    @Override
    public Mono<Void> release(Workspace workspace) {
        Mono<Void> ended = workspace.image() == null ? endService(workspace) : made.remove(workspace);
        return services == null ? ended : ended.then(services.forget(workspace.id()));
    }

    private Mono<Void> endService(Workspace workspace) {
        String container = workspace.container();
        return services == null || container == null || workspace.serviceCommand() == null
                ? Mono.empty()
                : services.end(workspace, inspect(container).flatMap(info -> Mono.justOrEmpty(info.run())));
    }

    @Override
    public Mono<byte[]> output(Workspace workspace, int bytes) {
        return services == null || workspace.serviceCommand() == null
                ? Mono.empty()
                : services.output(workspace.id(), bytes);
    }

    @Override
    public Probe probe(ProbeKind kind) {
        return kind == ProbeKind.SESSION ? session : exec;
    }

    @Override
    public Mono<Void> close() {
        return session.close().then(client.close()).doFinally(end -> {
            if (services != null) {
                services.close();
            }
        });
    }
}
