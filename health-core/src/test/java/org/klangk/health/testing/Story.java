package org.klangk.health.testing;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.klangk.health.event.CheckCompleted;
import org.klangk.health.event.CheckOutcome;
import org.klangk.health.event.CheckResult;
import org.klangk.health.event.ClockJumped;
import org.klangk.health.event.ContainerPaused;
import org.klangk.health.event.ContainerResumed;
import org.klangk.health.event.ContainerRun;
import org.klangk.health.event.ContainerStarted;
import org.klangk.health.event.ContainerStopped;
import org.klangk.health.event.DeadlinePassed;
import org.klangk.health.event.HealthEvent;
import org.klangk.health.event.ServiceStarted;
import org.klangk.health.event.StopCause;
import org.klangk.health.event.WorkspaceChanged;
import org.klangk.health.event.WorkspaceDefined;
import org.klangk.health.event.WorkspaceRemoved;
import org.klangk.health.frame.LoggedFrame;
import org.klangk.health.frame.Position;
import org.klangk.health.frame.ServiceHealth;
import org.klangk.health.pipeline.Board;
import org.klangk.health.pipeline.Candidate;
import org.klangk.health.pipeline.HealthPipeline;
import org.klangk.health.pipeline.Step;
import org.klangk.health.pipeline.Tracked;
import org.klangk.health.state.HealthState;
import org.klangk.health.state.WorkspaceHealth;
import org.klangk.health.workspace.HealthDefaults;
import org.klangk.health.workspace.Workspace;
import org.klangk.health.workspace.WorkspaceDraft;
import org.klangk.health.workspace.WorkspaceId;
import reactor.core.publisher.Flux;

/** A history of one workspace, told second by second; its events go through the real pipeline. */
public final class Story {
    /** When every story begins. */
    public static final Instant T0 = Instant.parse("2026-11-30T10:00:00Z");

    /** Whose story it is. */
    public static final WorkspaceId ID = new WorkspaceId("w1");

    private final Candidate candidate = new Candidate(Board.empty(new Position("E", 0)));
    private final List<HealthEvent> events = new ArrayList<>();
    private final List<LoggedFrame> frames = new ArrayList<>();
    private Instant now = T0;
    private int runs;
    private long checks;
    private Instant checkStart = T0;

    private Story() {}

    /** A workspace with a check, changed by {@code edit}, and no container yet. */
    public static Story of(UnaryOperator<WorkspaceDraft> edit) {
        Story story = new Story();
        story.add(new WorkspaceDefined(story.now, workspace(edit)));
        return story;
    }

    /** A workspace like those of stories. */
    public static Workspace workspace(UnaryOperator<WorkspaceDraft> edit) {
        return edit.apply(Workspace.named("gateway").id(ID).container("gw").healthCheck("true"))
                .resolve(HealthDefaults.standard());
    }

    private Story add(HealthEvent event) {
        events.add(event);
        Flux.just(event)
                .transform(HealthPipeline.into(candidate))
                .map(Step::frames)
                .subscribe(frames::addAll);
        return this;
    }

    /** Time goes on to this second of the story. */
    public Story at(double second) {
        now = T0.plusMillis(Math.round(second * 1000));
        checkStart = now;
        return this;
    }

    /** The next check started at this second, which may be earlier than its result. */
    public Story checkBegunAt(double second) {
        checkStart = T0.plusMillis(Math.round(second * 1000));
        return this;
    }

    public Story start() {
        runs++;
        return add(new ContainerStarted(now, ID, run(), now));
    }

    public Story stop(StopCause cause) {
        return add(new ContainerStopped(now, ID, run(), cause));
    }

    public Story pause() {
        return add(new ContainerPaused(now, ID));
    }

    public Story resume() {
        return add(new ContainerResumed(now, ID));
    }

    public Story serviceStarted() {
        return add(new ServiceStarted(now, ID));
    }

    public Story edit(UnaryOperator<WorkspaceDraft> edit) {
        return add(new WorkspaceChanged(
                now, edit.apply(health().workspace().edit()).resolve(HealthDefaults.standard())));
    }

    public Story remove() {
        return add(new WorkspaceRemoved(now, ID));
    }

    public Story deadline() {
        return add(new DeadlinePassed(now, ID));
    }

    public Story clockJumps(Duration jump) {
        now = now.plus(jump);
        return add(new ClockJumped(now, jump));
    }

    /** Seconds after a clock jump are counted by the new clock. */
    public Story later(double seconds) {
        now = now.plusMillis(Math.round(seconds * 1000));
        checkStart = now;
        return this;
    }

    public Story passes() {
        return result(CheckOutcome.PASSED, 0, null, false);
    }

    public Story fails() {
        return fails("exited 1");
    }

    public Story fails(String message) {
        return result(CheckOutcome.FAILED, 1, message, false);
    }

    public Story failsOnDemand() {
        return result(CheckOutcome.FAILED, 1, "exited 1", true);
    }

    private Story result(CheckOutcome outcome, int code, @Nullable String message, boolean onDemand) {
        WorkspaceHealth known = health();
        return add(result(
                known.container().incarnation(), known.checkRevision(), ++checks, outcome, code, message, onDemand));
    }

    /** A result of another incarnation, edition or run than the present one. */
    public Story strayPass(long incarnation, int revision, long run) {
        return add(result(incarnation, revision, run, CheckOutcome.PASSED, 0, null, false));
    }

    private CheckCompleted result(
            long incarnation,
            int revision,
            long run,
            CheckOutcome outcome,
            int code,
            @Nullable String message,
            boolean onDemand) {
        return new CheckCompleted(
                now,
                ID,
                incarnation,
                revision,
                run,
                checkStart,
                Duration.between(checkStart, now),
                Duration.ZERO,
                onDemand,
                new CheckResult(outcome, code, message));
    }

    private ContainerRun run() {
        return new ContainerRun("c" + runs, T0.plusSeconds(runs));
    }

    public WorkspaceHealth health() {
        return tracked().health();
    }

    public Tracked tracked() {
        return Objects.requireNonNull(candidate.find(ID));
    }

    public HealthState state() {
        return health().stateAt(now).state();
    }

    public @Nullable String reason() {
        return health().stateAt(now).reason();
    }

    public List<HealthEvent> events() {
        return events;
    }

    public List<LoggedFrame> frames() {
        return frames;
    }

    /** The verdicts told, in words: {@code 1 healthy}, {@code 2 unhealthy: exited 1}, {@code 3 stopped: removed}. */
    public List<String> told() {
        return frames.stream()
                .filter(ServiceHealth.class::isInstance)
                .map(ServiceHealth.class::cast)
                .map(frame -> frame.seq() + " "
                        + (frame.running() ? frame.healthy() ? "healthy" : "unhealthy" : "stopped")
                        + (frame.healthMessage() == null ? "" : ": " + frame.healthMessage()))
                .toList();
    }

    /** The types of the frames told, in order. */
    public List<String> types() {
        return frames.stream().map(frame -> frame.type().wireName()).toList();
    }

    /** Where the log of the story is. */
    public Position position() {
        return candidate.position();
    }
}
