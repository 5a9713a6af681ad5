package org.klangk.health.service;

import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.klangk.health.event.CheckCompleted;
import org.klangk.health.event.Component;
import org.klangk.health.event.ComponentDown;
import org.klangk.health.event.ComponentUp;
import org.klangk.health.event.ContainerRun;
import org.klangk.health.event.ContainerStarted;
import org.klangk.health.event.DeadlinePassed;
import org.klangk.health.event.HealthEvent;
import org.klangk.health.event.ServiceStarted;
import org.klangk.health.event.SetupChanged;
import org.klangk.health.event.WorkspaceChanged;
import org.klangk.health.event.WorkspaceDefined;
import org.klangk.health.event.WorkspaceEvent;
import org.klangk.health.event.WorkspaceRemoved;
import org.klangk.health.pipeline.Board;
import org.klangk.health.pipeline.ComponentStatus;
import org.klangk.health.pipeline.Tracked;
import org.klangk.health.probe.NotCheckableException;
import org.klangk.health.probe.ResultSink;
import org.klangk.health.probe.RunReport;
import org.klangk.health.runtime.ContainerInfo;
import org.klangk.health.runtime.ContainerRuntime;
import org.klangk.health.runtime.Reconciliation;
import org.klangk.health.runtime.RuntimeEvent;
import org.klangk.health.state.Judgement;
import org.klangk.health.state.WorkspaceHealth;
import org.klangk.health.workspace.HealthDefaults;
import org.klangk.health.workspace.Workspace;
import org.klangk.health.workspace.WorkspaceDraft;
import org.klangk.health.workspace.WorkspaceId;
import org.klangk.health.writer.Command;
import org.klangk.health.writer.Decision;

/** What the service asks of the writer: each a pure decision over what is known. */
final class Commands {
    private Commands() {}

    static Command<Workspace> define(
            WorkspaceDraft draft, UnaryOperator<Workspace> accept, HealthDefaults defaults, Actor actor) {
        return (board, stamp) -> {
            Workspace workspace = MadeContainer.complete(board, accept.apply(draft.resolve(defaults)), null);
            if (board.find(workspace.id()) != null) {
                throw new NameTakenException(workspace.id().value());
            }
            requireFreeName(board, workspace);
            requireRoom(board, workspace.owner(), actor.mayOwn());
            return Decision.of(List.of(new WorkspaceDefined(stamp.at(), workspace, actor.name())), workspace);
        };
    }

    /** What an edit changed; {@code before} is null where it defined something new. */
    record Changed(@Nullable Workspace before, Workspace after) {}

    /** Defines a workspace, or makes the one of the same owner, name and source like it. */
    static Command<Changed> declare(WorkspaceDraft draft, UnaryOperator<Workspace> accept, HealthDefaults defaults) {
        return (board, stamp) -> {
            Workspace wanted = accept.apply(draft.resolve(defaults));
            WorkspaceId holder = board.findByName(wanted.owner(), wanted.name());
            String actor = wanted.source().name().toLowerCase(Locale.ROOT);
            if (holder == null) {
                Workspace made = MadeContainer.complete(board, wanted, null);
                return Decision.of(List.of(new WorkspaceDefined(stamp.at(), made, actor)), new Changed(null, made));
            }
            Workspace before = require(board, holder).workspace();
            if (before.source() != wanted.source()) {
                throw new NameTakenException(wanted.name());
            }
            Workspace asSuch =
                    accept.apply(draft.id(holder).setup(before.setup()).resolve(defaults));
            Workspace after = MadeContainer.complete(board, asSuch, before);
            List<HealthEvent> events =
                    after.equals(before) ? List.of() : List.of(new WorkspaceChanged(stamp.at(), after, actor));
            return Decision.of(events, new Changed(before, after));
        };
    }

    static Command<Changed> change(
            WorkspaceId id,
            UnaryOperator<WorkspaceDraft> edit,
            UnaryOperator<Workspace> accept,
            HealthDefaults defaults,
            Actor actor) {
        return (board, stamp) -> {
            Workspace before = require(board, id).workspace();
            Workspace wanted = accept.apply(edit.apply(before.edit()).id(id).resolve(defaults));
            Workspace after = MadeContainer.complete(board, wanted, before);
            requireFreeName(board, after);
            if (after.equals(before)) {
                return Decision.of(List.of(), new Changed(before, before));
            }
            HealthEvent event = after.equals(before.withSetup(after.setup()))
                    ? new SetupChanged(stamp.at(), id, after.setup(), actor.name())
                    : new WorkspaceChanged(stamp.at(), after, actor.name());
            return Decision.of(List.of(event), new Changed(before, after));
        };
    }

    static Command<Workspace> remove(WorkspaceId id, Actor actor) {
        return (board, stamp) -> {
            Workspace workspace = require(board, id).workspace();
            return Decision.of(List.of(new WorkspaceRemoved(stamp.at(), id, actor.name())), workspace);
        };
    }

    static Command<WorkspaceHealth> serviceStarted(WorkspaceId id) {
        return (board, stamp) -> {
            if (!require(board, id).container().running()) {
                throw new NotCheckableException("no container runs");
            }
            return new Decision<>(List.of(new ServiceStarted(stamp.at(), id)), after -> require(after, id));
        };
    }

    /**
     * The service was launched in this run; nothing where that run is over.
     *
     * @param anew false where it ran before: then it is told only if nobody knows yet
     */
    static Command<Boolean> launched(WorkspaceId id, ContainerRun run, boolean anew) {
        return (board, stamp) -> {
            WorkspaceHealth health = health(board, id);
            boolean news = health != null
                    && run.equals(health.container().run())
                    && (anew || health.container().serviceStartedAt() == null);
            return Decision.of(news ? List.of(new ServiceStarted(stamp.at(), id)) : List.of(), news);
        };
    }

    static Command<ResultSink.Taken> result(RunReport report) {
        return (board, stamp) -> {
            CheckCompleted event = new CheckCompleted(
                    stamp.at(),
                    report.workspaceId(),
                    report.incarnation(),
                    report.checkRevision(),
                    report.run(),
                    stamp.of(report.startedNanos()),
                    report.duration(),
                    report.startDelay(),
                    report.onDemand(),
                    report.result());
            Tracked tracked = board.find(report.workspaceId());
            if (tracked == null) {
                return Decision.of(List.of(), new ResultSink.Taken(null, false, stamp.at()));
            }
            Judgement judgement = Judgement.of(tracked.health(), event);
            boolean counted = judgement == Judgement.COUNTED;
            List<HealthEvent> events =
                    judgement == Judgement.VOID || judgement == Judgement.TOO_SOON ? List.of() : List.of(event);
            return new Decision<>(
                    events, after -> new ResultSink.Taken(health(after, report.workspaceId()), counted, stamp.at()));
        };
    }

    /** What was seen of the container of one workspace; ignored when the workspace names another one by now. */
    static Command<Boolean> observe(
            ContainerRuntime runtime,
            WorkspaceId id,
            @Nullable String ref,
            @Nullable ContainerInfo seen,
            RuntimeEvent.@Nullable Death death,
            @Nullable Instant unwatchedSince) {
        return (board, stamp) -> {
            WorkspaceHealth health = health(board, id);
            if (health == null || !Objects.equals(runtime.ref(health.workspace()), ref)) {
                return Decision.of(List.of(), false);
            }
            List<WorkspaceEvent> events = Reconciliation.reconcile(health, seen, death, unwatchedSince, stamp.at());
            return Decision.of(runtime.runsTheService(health.workspace()) ? withTheirService(events) : events, true);
        };
    }

    private static List<WorkspaceEvent> withTheirService(List<WorkspaceEvent> events) {
        return events.stream()
                .flatMap(event -> event instanceof ContainerStarted started
                        ? Stream.of(started, new ServiceStarted(started.startedAt(), started.workspaceId()))
                        : Stream.of(event))
                .toList();
    }

    /** Tells a change that time alone made, if there is one. */
    static Command<Boolean> deadline(WorkspaceId id) {
        return (board, stamp) -> {
            Tracked tracked = board.find(id);
            boolean passed = tracked != null && stale(tracked.health(), stamp.at());
            return Decision.of(passed ? List.of(new DeadlinePassed(stamp.at(), id)) : List.of(), passed);
        };
    }

    private static boolean stale(WorkspaceHealth health, Instant at) {
        return !health.stateAt(at).equals(health.shown());
    }

    static Command<Boolean> component(Component component, @Nullable String trouble) {
        return (board, stamp) -> {
            ComponentStatus known = board.component(component);
            boolean healthy = trouble == null;
            boolean was = known == null || known.healthy();
            if (known != null && was == healthy) {
                return Decision.of(List.of(), false);
            }
            return Decision.of(
                    List.of(
                            trouble == null
                                    ? new ComponentUp(stamp.at(), component)
                                    : new ComponentDown(stamp.at(), component, trouble)),
                    true);
        };
    }

    private static void requireRoom(Board board, String owner, int most) {
        if (most < Integer.MAX_VALUE
                && board.all().stream()
                                .filter(tracked ->
                                        tracked.health().workspace().owner().equals(owner))
                                .count()
                        >= most) {
            throw new TooManyWorkspacesException(owner, most);
        }
    }

    private static void requireFreeName(Board board, Workspace workspace) {
        WorkspaceId holder = board.findByName(workspace.owner(), workspace.name());
        if (holder != null && !holder.equals(workspace.id())) {
            throw new NameTakenException(workspace.name());
        }
    }

    static @Nullable WorkspaceHealth health(Board board, WorkspaceId id) {
        Tracked tracked = board.find(id);
        return tracked == null ? null : tracked.health();
    }

    static WorkspaceHealth require(Board board, WorkspaceId id) {
        WorkspaceHealth health = health(board, id);
        if (health == null) {
            throw new NoSuchWorkspaceException(id);
        }
        return health;
    }
}
