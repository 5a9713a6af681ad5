package org.klangk.health.pipeline;

import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.klangk.health.event.CheckCompleted;
import org.klangk.health.event.ClockJumped;
import org.klangk.health.event.Component;
import org.klangk.health.event.ComponentDown;
import org.klangk.health.event.ComponentUp;
import org.klangk.health.event.HealthEvent;
import org.klangk.health.event.WorkspaceEvent;
import org.klangk.health.frame.FrameKind;
import org.klangk.health.frame.MonitorHealth;
import org.klangk.health.frame.Position;
import org.klangk.health.state.Fold;
import org.klangk.health.state.Judgement;
import org.klangk.health.state.WorkspaceHealth;
import reactor.core.publisher.Flux;

/**
 * Events to frames. Each stage is a pure function of one {@link Step} with a Flux operator around it, to be used with
 * {@code transform}; {@link #into} puts them in order.
 *
 * <p>Every stage is one to one and none prefetches, so an event has gone through all of them before the next one enters the
 * first: that is what lets the first look up what the last has remembered.
 */
public final class HealthPipeline {
    private HealthPipeline() {}

    /** The whole pipeline over one candidate state, which it advances. */
    public static Function<Flux<HealthEvent>, Flux<Step>> into(Candidate candidate) {
        return events -> events.map(event -> Step.of(event, before(candidate, event)))
                .transform(grace())
                .transform(fold())
                .transform(transitions(candidate))
                .transform(numbering(candidate))
                .doOnNext(step -> remember(candidate, step));
    }

    /**
     * The pipeline for events whose frames were told before: it folds and tells nothing, so that what was told is not decided a
     * second time.
     */
    static Function<Flux<HealthEvent>, Flux<Step>> again(Candidate candidate) {
        return events -> events.map(event -> Step.of(event, before(candidate, event)))
                .transform(grace())
                .transform(fold())
                .doOnNext(step -> remember(candidate, step));
    }

    /** Decides which results count: void ones, ones in startup grace and impatient ones do not. */
    static Function<Flux<Step>, Flux<Step>> grace() {
        return steps -> steps.map(step -> step.before() != null && step.event() instanceof CheckCompleted completed
                ? step.judged(Judgement.of(step.before().health(), completed))
                : step);
    }

    /** Folds the event into its workspace's state. */
    static Function<Flux<Step>, Flux<Step>> fold() {
        return steps -> steps.map(HealthPipeline::folded);
    }

    private static Step folded(Step step) {
        if (!(step.event() instanceof WorkspaceEvent event)) {
            return step;
        }
        Tracked before = step.before();
        WorkspaceHealth after = Fold.apply(before == null ? null : before.health(), event, step.judgement());
        if (after == null) {
            return step.after(null);
        }
        return step.after(new Tracked(after, before == null ? Told.NOTHING : before.told()));
    }

    /** Finds what there is to tell. */
    static Function<Flux<Step>, Flux<Step>> transitions(Board board) {
        return steps -> steps.map(
                step -> step.event() instanceof WorkspaceEvent ? Transitions.detect(step) : monitor(board, step));
    }

    private static Step monitor(Board board, Step step) {
        Component component = component(step.event());
        ComponentStatus next = status(step.event());
        if (component == null || next == null) {
            return step;
        }
        ComponentStatus known = board.component(component);
        boolean was = known == null || known.healthy();
        if (was == next.healthy()) {
            return step;
        }
        return step.telling(
                null,
                List.of(new MonitorHealth(component, next.healthy(), next.message(), FrameKind.CHANGE, Position.NONE)));
    }

    private static @Nullable Component component(HealthEvent event) {
        if (event instanceof ComponentDown down) {
            return down.component();
        }
        return event instanceof ComponentUp up ? up.component() : null;
    }

    private static @Nullable ComponentStatus status(HealthEvent event) {
        if (event instanceof ComponentDown down) {
            return new ComponentStatus(false, down.message(), down.at());
        }
        return event instanceof ComponentUp up ? new ComponentStatus(true, null, up.at()) : null;
    }

    /** Gives every frame its place in the log. */
    static Function<Flux<Step>, Flux<Step>> numbering(Candidate candidate) {
        return steps -> steps.map(candidate.numbering::number);
    }

    private static @Nullable Tracked before(Candidate candidate, HealthEvent event) {
        return event instanceof WorkspaceEvent about ? candidate.find(about.workspaceId()) : null;
    }

    private static void remember(Candidate candidate, Step step) {
        if (step.event() instanceof WorkspaceEvent event) {
            candidate.put(event.workspaceId(), step.before(), step.after());
        } else if (step.event() instanceof ClockJumped jumped) {
            candidate.shift(jumped.jump());
        } else {
            Component component = component(step.event());
            ComponentStatus status = status(step.event());
            if (component != null && status != null) {
                candidate.put(component, status);
            }
        }
    }
}
