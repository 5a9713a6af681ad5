package org.klangk.health.service;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.klangk.health.event.Component;
import org.klangk.health.frame.Position;
import org.klangk.health.pipeline.Commit;
import org.klangk.health.pipeline.ComponentStatus;
import org.klangk.health.pipeline.Tracked;
import org.klangk.health.probe.CheckAnswer;
import org.klangk.health.probe.Probe;
import org.klangk.health.probe.ProbeScheduler;
import org.klangk.health.runtime.ContainerRuntime;
import org.klangk.health.runtime.RuntimeEvent;
import org.klangk.health.state.WorkspaceHealth;
import org.klangk.health.stream.HealthStream;
import org.klangk.health.stream.LogStream;
import org.klangk.health.time.HealthClock;
import org.klangk.health.workspace.ProbeKind;
import org.klangk.health.workspace.Workspace;
import org.klangk.health.workspace.WorkspaceDraft;
import org.klangk.health.workspace.WorkspaceId;
import org.klangk.health.writer.Writer;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/**
 * The health service, embedded: define workspaces, watch the stream, ask for the present.
 *
 * <p>Methods may be called on any thread and do nothing before they are subscribed to. Signals arrive on the delivery scheduler
 * ({@code Schedulers.parallel()} unless the builder was told otherwise).
 */
public final class HealthService {
    private final HealthServiceBuilder settings;
    private final Scheduler writerScheduler;
    private final Scheduler timer;
    private final Scheduler delivery;
    private final HealthClock clock;
    private final ContainerRuntime runtime;
    private final Map<ProbeKind, Probe> probes = new EnumMap<>(ProbeKind.class);
    private final Writer writer;
    private final LogStream stream;
    private final ProbeScheduler scheduler;
    private final Deadlines deadlines;
    private final ContainerObserver observer;
    private final ServiceLauncher launcher;
    private final Definitions definitions;
    private final Heartbeats heartbeats;
    private final @Nullable LabelSource labelSource;
    private final Past past;
    private final DryRun dryRun;
    private volatile boolean open;
    private volatile boolean draining;

    HealthService(HealthServiceBuilder settings) {
        this.settings = settings;
        clock = settings.clock();
        runtime = settings.runtime();
        writerScheduler = settings.scheduler("klangk-writer");
        timer = settings.scheduler("klangk-timer");
        delivery = settings.delivery();
        writer = new Writer(settings.journal(), clock, writerScheduler);
        stream = new LogStream(writer, clock, delivery);
        for (ProbeKind kind : ProbeKind.values()) {
            probes.put(kind, runtime.probe(kind));
        }
        scheduler = new ProbeScheduler(
                probes,
                settings.slots(),
                report -> writer.submit(Commands.result(report)),
                settings.redaction(),
                clock,
                timer);
        deadlines = new Deadlines(
                id -> Commands.health(writer.board(), id), id -> writer.submit(Commands.deadline(id)), clock, timer);
        Duration labels = settings.labels();
        labelSource = labels == null ? null : new LabelSource(runtime, this, writer, clock, labels);
        observer = new ContainerObserver(runtime, writer, timer, scheduler::runtime, this::happened);
        launcher = new ServiceLauncher(runtime, writer, timer);
        definitions = new Definitions(writer, runtime, settings.defaults(), observer::look, launcher::ask);
        heartbeats = new Heartbeats(
                scheduler, writer, stream, settings.journal()::alive, clock, timer, settings.heartbeatPeriod());
        dryRun = new DryRun(runtime.probe(ProbeKind.EXEC), settings.redaction(), clock);
        past = new Past(writer, settings.journal(), clock, delivery);
        writer.onCommit(this::committed);
        writer.onCommit(launcher::committed);
        writer.onCommit(TransitionLog::write);
    }

    /** Begins to describe a service. */
    public static HealthServiceBuilder builder() {
        return new HealthServiceBuilder();
    }

    private void committed(Commit commit) {
        for (Tracked tracked : commit.changed()) {
            scheduler.changed(tracked.health());
            deadlines.changed(tracked.health());
        }
        for (Tracked tracked : commit.removed()) {
            scheduler.removed(tracked.health().id());
            deadlines.removed(tracked.health().id());
        }
    }

    private void happened(RuntimeEvent event) {
        if (labelSource != null) {
            labelSource.happened(event);
        }
    }

    /** Opens the journal and begins to watch; completes when both are done. Once. */
    public Mono<Void> start() {
        return writer.open()
                .doOnNext(opened -> {
                    stream.startAt(opened.known().position());
                    List<WorkspaceHealth> workspaces = opened.known().workspaces().stream()
                            .map(Tracked::health)
                            .toList();
                    scheduler.recover(workspaces);
                    deadlines.recover(workspaces);
                    if (labelSource != null) {
                        labelSource.start();
                    }
                    launcher.start();
                    observer.start(opened.lastAlive());
                    heartbeats.start();
                    open = true;
                    observer.firstList().subscribe(none -> {}, error -> {}, () -> makeUp(workspaces));
                })
                .publishOn(delivery)
                .then();
    }

    /** Now that it is known what runs: what was to be started, and what is to be started with this. */
    private void makeUp(List<WorkspaceHealth> known) {
        launcher.recover(known);
        if (settings.autoStart()) {
            definitions.launchAll(known).subscribe();
        }
    }

    /** Ends running checks and all streams, commits what is under way and closes runtime and journal. */
    public Mono<Void> stop() {
        return Mono.defer(() -> {
            draining = true;
            heartbeats.stop();
            observer.stop();
            launcher.stop();
            if (labelSource != null) {
                labelSource.stop();
            }
            return scheduler
                    .stop()
                    .then(writer.close())
                    .then(Mono.<Void>fromRunnable(stream::complete))
                    .then(runtime.close())
                    .doFinally(end -> settings.dispose(writerScheduler, timer));
        });
    }

    /** Says that the service is about to stop: {@link #ready} is false from now on. */
    public void drain() {
        draining = true;
    }

    /**
     * Watches a workspace from now on, and starts what its service runs in where the runtime makes that; completes when its
     * container was looked at. A service command is started in it soon after.
     *
     * @return fails with {@code InvalidWorkspaceException}, {@code NameTakenException} or {@code OverloadedException}, and when
     *     what serves cannot be started; then nothing is watched
     */
    public Mono<Workspace> define(WorkspaceDraft draft) {
        return define(draft, Actor.UNKNOWN);
    }

    /** The same, done by {@code actor}; fails with {@link TooManyWorkspacesException} too. */
    public Mono<Workspace> define(WorkspaceDraft draft, Actor actor) {
        return definitions.define(draft, actor).publishOn(delivery);
    }

    /**
     * Edits a workspace; {@code edit} gets a draft with the present values. What serves in it is ended and started anew when
     * its command changed. Fails as {@link #define} and when there is none.
     */
    public Mono<Workspace> change(WorkspaceId id, UnaryOperator<WorkspaceDraft> edit) {
        return change(id, edit, Actor.UNKNOWN);
    }

    /** The same, done by {@code actor}. */
    public Mono<Workspace> change(WorkspaceId id, UnaryOperator<WorkspaceDraft> edit, Actor actor) {
        return definitions.change(id, edit, actor).publishOn(delivery);
    }

    /** Completes when the definition could be declared as it is, and fails as {@link #declare} would; defines nothing. */
    public Mono<Void> acceptable(WorkspaceDraft draft) {
        return definitions.acceptable(draft).publishOn(delivery);
    }

    /**
     * Watches a workspace that something else than a user defines, or makes the one of the same owner, name and source so; fails as
     * {@link #define}, and when another source has that name.
     */
    public Mono<Workspace> declare(WorkspaceDraft draft) {
        return definitions.declare(draft).publishOn(delivery);
    }

    /**
     * The end of what the workspace's service printed; empty where the runtime does not keep it.
     *
     * @param bytes at most so many
     */
    public Mono<byte[]> output(WorkspaceId id, int bytes) {
        return Mono.defer(() ->
                        runtime.output(Commands.require(writer.board(), id).workspace(), bytes))
                .publishOn(delivery);
    }

    /** Starts what the workspace's service runs in, where the runtime makes that and it does not run, and then its service. */
    public Mono<Workspace> launch(WorkspaceId id) {
        return definitions.launch(id).publishOn(delivery);
    }

    /** Ends the watch of a workspace, and what serves in it where the runtime started that; gives back its last definition. */
    public Mono<Workspace> remove(WorkspaceId id) {
        return remove(id, Actor.UNKNOWN);
    }

    /** The same, done by {@code actor}. */
    public Mono<Workspace> remove(WorkspaceId id, Actor actor) {
        return definitions.remove(id, actor).publishOn(delivery);
    }

    /** The service in the workspace's container was launched just now: grace counts from here. */
    public Mono<WorkspaceStatus> serviceStarted(WorkspaceId id) {
        return writer.submit(Commands.serviceStarted(id)).then(current(id));
    }

    /** A workspace as it is now; fails with {@link NoSuchWorkspaceException}. */
    public Mono<WorkspaceStatus> current(WorkspaceId id) {
        return Mono.defer(() -> {
                    Tracked tracked = writer.board().find(id);
                    return tracked == null
                            ? Mono.error(new NoSuchWorkspaceException(id))
                            : scheduler
                                    .nextCheckAt(id)
                                    .map(next -> status(tracked, next))
                                    .switchIfEmpty(Mono.fromSupplier(() -> status(tracked, null)));
                })
                .publishOn(delivery);
    }

    /** Every workspace as it is now, by name; without the time of its next check. */
    public Mono<List<WorkspaceStatus>> list() {
        return writer.snapshot()
                .publishOn(delivery)
                .map(snapshot -> snapshot.workspaces().stream()
                        .map(tracked -> status(tracked, null))
                        .sorted(Comparator.comparing((WorkspaceStatus status) ->
                                        status.health().workspace().name())
                                .thenComparing(status -> status.health().id()))
                        .toList());
    }

    private WorkspaceStatus status(Tracked tracked, @Nullable Instant next) {
        Instant now = clock.wall().get();
        return new WorkspaceStatus(
                tracked.health(),
                tracked.told(),
                tracked.health().stateAt(now),
                writer.board().position().epoch(),
                probe(tracked.health()),
                next,
                now);
    }

    private ProbeKind probe(WorkspaceHealth health) {
        ProbeKind asked = health.workspace().probe();
        ProbeKind inPlace = Objects.requireNonNull(probes.get(asked)).inPlace(health.id());
        return inPlace == null ? asked : inPlace;
    }

    /** Runs the workspace's check now or joins the run under way; fails when nothing can be checked. */
    public Mono<CheckAnswer> check(WorkspaceId id) {
        return Mono.defer(() -> {
                    if (writer.board().find(id) == null) {
                        return Mono.<CheckAnswer>error(new NoSuchWorkspaceException(id));
                    }
                    return scheduler.check(id);
                })
                .publishOn(delivery);
    }

    /**
     * Runs a command once, as the workspace's check would run, and changes nothing.
     *
     * @param command null for the workspace's own check
     * @return what would have been kept; fails when nothing can be checked or too many try
     */
    public Mono<CheckAnswer> dryRun(WorkspaceId id, @Nullable String command) {
        return Mono.defer(() -> dryRun.run(Commands.require(writer.board(), id), command))
                .publishOn(delivery);
    }

    /** What was. */
    public Past past() {
        return past;
    }

    /** What subscribers hold. */
    public HealthStream stream() {
        return stream;
    }

    /** The end of the log. */
    public Position position() {
        return writer.board().position();
    }

    /** Completes when the containers were listed for the first time. */
    public Mono<Void> firstList() {
        return observer.firstList();
    }

    /** Whether the polling loop moves: its heartbeats come through. */
    public boolean alive() {
        return open && heartbeats.alive();
    }

    /** How long ago the last heartbeat came through. */
    public Duration silence() {
        return heartbeats.silence();
    }

    /** Whether it serves the truth: log open, containers listed, every component well, not about to stop. */
    public boolean ready() {
        return unready().isEmpty();
    }

    /** Why it is not ready: any of {@code log}, {@code first_list}, {@code runtime}, {@code journal}, {@code draining}. */
    public List<String> unready() {
        List<String> reasons = new ArrayList<>();
        if (!open) {
            reasons.add("log");
        } else {
            if (!observer.listed()) {
                reasons.add("first_list");
            }
            for (Component component : Component.values()) {
                ComponentStatus status = writer.board().component(component);
                if (status != null && !status.healthy()) {
                    reasons.add(component.name().toLowerCase(Locale.ROOT));
                }
            }
        }
        if (draining) {
            reasons.add("draining");
        }
        return reasons;
    }
}
