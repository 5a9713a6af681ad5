package org.klangk.health.testing;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.klangk.health.event.CheckOutcome;
import org.klangk.health.event.ContainerRun;
import org.klangk.health.event.StopCause;
import org.klangk.health.policy.OutputTail;
import org.klangk.health.probe.Probe;
import org.klangk.health.probe.ProbeRequest;
import org.klangk.health.probe.ProbeResult;
import org.klangk.health.runtime.ContainerInfo;
import org.klangk.health.runtime.ContainerInfo.Status;
import org.klangk.health.runtime.ContainerRuntime;
import org.klangk.health.runtime.RuntimeEvent;
import org.klangk.health.workspace.ProbeKind;
import org.klangk.health.workspace.Workspace;
import org.klangk.health.workspace.WorkspaceId;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/** Containers that do what a test says, for tests whose subject is time. */
public final class ScriptedRuntime implements ContainerRuntime {
    private final Map<String, ContainerInfo> containers = new ConcurrentHashMap<>();
    private final Sinks.Many<RuntimeEvent> events = Sinks.many().unicast().onBackpressureBuffer();
    private final List<ProbeRequest> requests = new CopyOnWriteArrayList<>();
    private Function<ProbeRequest, Mono<ProbeResult>> answer = request -> Mono.just(passed());
    private final List<WorkspaceId> released = new CopyOnWriteArrayList<>();
    private final List<ContainerRun> served = new CopyOnWriteArrayList<>();
    private Function<Workspace, Mono<Boolean>> serving = workspace -> Mono.empty();
    private Function<Workspace, Mono<Void>> launching = workspace -> Mono.empty();
    private boolean opens;
    private @Nullable ProbeKind inPlace;
    private int runs;

    /** A check that passed. */
    public static ProbeResult passed() {
        return new ProbeResult.Completed(CheckOutcome.PASSED, 0, new OutputTail());
    }

    /** A check that failed. */
    public static ProbeResult failed() {
        return new ProbeResult.Completed(CheckOutcome.FAILED, 1, new OutputTail());
    }

    /** What checks give from now on. */
    public void answer(Function<ProbeRequest, Mono<ProbeResult>> newAnswer) {
        answer = newAnswer;
    }

    /** Whether every run opens something from now on. */
    public void opens(boolean always) {
        opens = always;
    }

    /** What serves in the place of every probe from now on; null for itself. */
    public void inPlace(@Nullable ProbeKind kind) {
        inPlace = kind;
    }

    /** What becomes of service commands from now on. */
    public void serving(Function<Workspace, Mono<Boolean>> result) {
        serving = result;
    }

    /** The runs in which a service command was to be started, each as often as that was. */
    public List<ContainerRun> served() {
        return served;
    }

    /** What makes containers from now on. */
    public void launching(Function<Workspace, Mono<Void>> result) {
        launching = result;
    }

    /** The workspaces for which nothing need be held, as they were told. */
    public List<WorkspaceId> released() {
        return released;
    }

    /** Every run so far. */
    public List<ProbeRequest> requests() {
        return requests;
    }

    /** A container starts. */
    public void start(String name, Instant at) {
        runs++;
        put(new ContainerInfo("id-" + name + "-0000000000", name, Status.RUNNING, at.plusNanos(runs), null), null);
    }

    /** The containers of another runtime, as they are, run here: a monitor was started anew beside them. */
    public void takeOver(ScriptedRuntime before) {
        containers.putAll(before.containers);
        runs = before.runs;
    }

    /** A container dies. */
    public void die(String name, StopCause cause, Instant at) {
        ContainerInfo was = info(name);
        Integer code = cause.exitCode();
        put(
                new ContainerInfo(was.id(), name, Status.STOPPED, was.startedAt(), cause, at),
                new RuntimeEvent.Death(code == null ? 0 : code, at, false));
    }

    /** A container freezes, or goes on. */
    public void pause(String name, boolean paused) {
        ContainerInfo was = info(name);
        put(new ContainerInfo(was.id(), name, paused ? Status.PAUSED : Status.RUNNING, was.startedAt(), null), null);
    }

    /** A container is removed. */
    public void remove(String name) {
        ContainerInfo was = info(name);
        containers.remove(name);
        tell(new RuntimeEvent.Touched(was.id(), name, null));
    }

    private ContainerInfo info(String name) {
        ContainerInfo info = containers.get(name);
        if (info == null) {
            throw new IllegalStateException("no container " + name);
        }
        return info;
    }

    private void put(ContainerInfo info, RuntimeEvent.@Nullable Death death) {
        containers.put(info.name(), info);
        tell(new RuntimeEvent.Touched(info.id(), info.name(), death));
    }

    /** Tells an event. */
    public void tell(RuntimeEvent event) {
        events.tryEmitNext(event).orThrow();
    }

    @Override
    public Flux<RuntimeEvent> watch() {
        return Flux.concat(
                Flux.defer(() -> Flux.just(
                        new RuntimeEvent.Reachable(), new RuntimeEvent.Listed(new ArrayList<>(containers.values())))),
                events.asFlux());
    }

    @Override
    public Mono<ContainerInfo> inspect(String nameOrId) {
        return Mono.defer(() -> Mono.justOrEmpty(containers.get(nameOrId)));
    }

    @Override
    public Mono<Void> launch(Workspace workspace) {
        return Mono.defer(() -> launching.apply(workspace));
    }

    @Override
    public Mono<Boolean> serve(Workspace workspace, ContainerRun run) {
        return Mono.defer(() -> {
            served.add(run);
            return serving.apply(workspace);
        });
    }

    @Override
    public Probe probe(ProbeKind kind) {
        return new Probe() {
            @Override
            public Mono<ProbeResult> run(ProbeRequest request) {
                return Mono.defer(() -> {
                    requests.add(request);
                    return answer.apply(request);
                });
            }

            @Override
            public boolean opens(ProbeRequest request) {
                return opens;
            }

            @Override
            public @Nullable ProbeKind inPlace(WorkspaceId id) {
                return inPlace;
            }

            @Override
            public void release(WorkspaceId id) {
                released.add(id);
            }
        };
    }

    @Override
    public Mono<Void> close() {
        return Mono.empty();
    }
}
