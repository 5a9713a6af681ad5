package org.klangk.health.service;

import java.util.List;
import java.util.function.Function;
import java.util.function.UnaryOperator;
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

/** Definitions come, change and go, and what serves in their workspaces with them where the runtime starts that. */
final class Definitions {
    private static final Logger log = LoggerFactory.getLogger(Definitions.class);

    private final Writer writer;
    private final ContainerRuntime runtime;
    private final HealthDefaults defaults;
    private final Function<WorkspaceId, Mono<Void>> look;

    /** @param look looks at a workspace's container now */
    Definitions(
            Writer writer, ContainerRuntime runtime, HealthDefaults defaults, Function<WorkspaceId, Mono<Void>> look) {
        this.writer = writer;
        this.runtime = runtime;
        this.defaults = defaults;
        this.look = look;
    }

    private Workspace accepted(Workspace workspace) {
        runtime.require(workspace);
        return workspace;
    }

    Mono<Workspace> define(WorkspaceDraft draft, Actor actor) {
        return writer.submit(Commands.define(draft, this::accepted, defaults, actor))
                .flatMap(workspace -> runtime.launch(workspace)
                        .onErrorResume(error -> remove(workspace.id(), actor).then(Mono.error(error)))
                        .then(look.apply(workspace.id()))
                        .thenReturn(workspace));
    }

    Mono<Workspace> change(WorkspaceId id, UnaryOperator<WorkspaceDraft> edit, Actor actor) {
        return writer.submit(Commands.change(id, edit, this::accepted, defaults, actor))
                .flatMap(changed -> relaunch(changed).then(look.apply(id)).thenReturn(changed.after()));
    }

    Mono<Void> acceptable(WorkspaceDraft draft) {
        return writer.<Boolean>submit((board, stamp) -> {
                    Commands.declare(draft, this::accepted, defaults).decide(board, stamp);
                    return Decision.of(List.of(), true);
                })
                .then();
    }

    Mono<Workspace> declare(WorkspaceDraft draft) {
        return writer.submit(Commands.declare(draft, this::accepted, defaults))
                .flatMap(changed ->
                        relaunch(changed).then(look.apply(changed.after().id())).thenReturn(changed.after()));
    }

    private Mono<Void> relaunch(Commands.Changed changed) {
        Workspace before = changed.before();
        if (before == null) {
            return runtime.launch(changed.after());
        }
        return before.servesLike(changed.after())
                ? Mono.empty()
                : runtime.release(before).then(runtime.launch(changed.after()));
    }

    Mono<Workspace> remove(WorkspaceId id, Actor actor) {
        return writer.submit(Commands.remove(id, actor))
                .flatMap(workspace -> runtime.release(workspace).thenReturn(workspace));
    }

    Mono<Workspace> launch(WorkspaceId id) {
        return Mono.fromSupplier(() -> Commands.require(writer.board(), id).workspace())
                .flatMap(workspace ->
                        runtime.launch(workspace).then(look.apply(id)).thenReturn(workspace));
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
