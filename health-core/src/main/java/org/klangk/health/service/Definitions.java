package org.klangk.health.service;

import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.klangk.health.event.ContainerRun;
import org.klangk.health.runtime.ContainerRuntime;
import org.klangk.health.state.WorkspaceHealth;
import org.klangk.health.workspace.HealthDefaults;
import org.klangk.health.workspace.Workspace;
import org.klangk.health.workspace.WorkspaceDraft;
import org.klangk.health.workspace.WorkspaceId;
import org.klangk.health.writer.Decision;
import org.klangk.health.writer.Writer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Definitions come, change and go, and what serves in their workspaces with them where the runtime starts that. What has begun
 * is brought to its end, whether anybody still waits for it or not.
 */
final class Definitions {
    private static final Logger log = LoggerFactory.getLogger(Definitions.class);

    private final Writer writer;
    private final ContainerRuntime runtime;
    private final HealthDefaults defaults;
    private final Function<WorkspaceId, Mono<Void>> look;
    private final Consumer<WorkspaceId> serve;

    /**
     * Definitions.
     *
     * @param look looks at a workspace's container now
     * @param serve has a workspace's service started soon
     */
    Definitions(
            Writer writer,
            ContainerRuntime runtime,
            HealthDefaults defaults,
            Function<WorkspaceId, Mono<Void>> look,
            Consumer<WorkspaceId> serve) {
        this.writer = writer;
        this.runtime = runtime;
        this.defaults = defaults;
        this.look = look;
        this.serve = serve;
    }

    private static <T> Mono<T> whole(Mono<T> work) {
        return Mono.fromFuture(work::toFuture, true);
    }

    private Workspace accepted(Workspace workspace) {
        runtime.require(workspace);
        return workspace;
    }

    Mono<Workspace> define(WorkspaceDraft draft, Actor actor) {
        return whole(writer.submit(Commands.define(draft, this::accepted, defaults, actor))
                .flatMap(workspace -> runtime.launch(workspace)
                        .onErrorResume(error -> remove(workspace.id(), actor).then(Mono.error(error)))
                        .then(look.apply(workspace.id()))
                        .thenReturn(workspace)));
    }

    Mono<Workspace> change(WorkspaceId id, UnaryOperator<WorkspaceDraft> edit, Actor actor) {
        return whole(writer.submit(Commands.change(id, edit, this::accepted, defaults, actor))
                .flatMap(this::relaunch));
    }

    Mono<Void> acceptable(WorkspaceDraft draft) {
        return writer.<Boolean>submit((board, stamp) -> {
                    Commands.declare(draft, this::accepted, defaults).decide(board, stamp);
                    return Decision.of(List.of(), true);
                })
                .then();
    }

    Mono<Workspace> declare(WorkspaceDraft draft) {
        return whole(
                writer.submit(Commands.declare(draft, this::accepted, defaults)).flatMap(this::relaunch));
    }

    private Mono<Workspace> relaunch(Commands.Changed changed) {
        Workspace before = changed.before();
        Workspace after = changed.after();
        if (before != null && before.servesLike(after)) {
            return look.apply(after.id()).thenReturn(after);
        }
        return started(before == null ? Mono.empty() : runtime.release(before), after);
    }

    /** A run that begins has its service started anyway; one that goes on has to be asked for it. */
    private Mono<Workspace> started(Mono<Void> ended, Workspace workspace) {
        WorkspaceId id = workspace.id();
        return Mono.defer(() -> {
            ContainerRun before = run(id);
            return ended.then(Mono.defer(() -> runtime.launch(workspace)))
                    .then(look.apply(id))
                    .then(Mono.fromSupplier(() -> {
                        if (before != null && before.equals(run(id))) {
                            serve.accept(id);
                        }
                        return workspace;
                    }));
        });
    }

    private @Nullable ContainerRun run(WorkspaceId id) {
        WorkspaceHealth health = Commands.health(writer.board(), id);
        return health == null ? null : health.container().run();
    }

    Mono<Workspace> remove(WorkspaceId id, Actor actor) {
        return whole(writer.submit(Commands.remove(id, actor))
                .flatMap(workspace -> runtime.release(workspace).thenReturn(workspace)));
    }

    Mono<Workspace> launch(WorkspaceId id) {
        return whole(
                Mono.fromSupplier(() -> Commands.require(writer.board(), id).workspace())
                        .flatMap(workspace -> started(Mono.empty(), workspace)));
    }

    /** Starts what is to be started with this; what cannot be is told, and keeps nothing else from starting. */
    Mono<Void> launchAll(List<WorkspaceHealth> workspaces) {
        return Flux.fromIterable(workspaces)
                .map(WorkspaceHealth::workspace)
                .filter(Workspace::autoStart)
                .concatMap(workspace -> launch(workspace.id()).onErrorResume(error -> {
                    log.warn("the service of {} was not started: {}", workspace.name(), error.toString());
                    return Mono.empty();
                }))
                .then();
    }
}
