package org.klangk.health.pipeline;

import java.util.ArrayList;
import java.util.List;
import org.klangk.health.event.HealthEvent;
import org.klangk.health.frame.LoggedFrame;
import org.klangk.health.frame.Position;
import reactor.core.publisher.Flux;

/**
 * What a log says is known: a checkpoint, the events after it, and the frames that they led to.
 *
 * @param known all that is known at the end
 * @param steps each event and what it did; without frames
 */
public record Replay(Snapshot known, List<Step> steps) {

    /** Folds {@code events} and {@code frames}, each in its order, on top of {@code checkpoint}. Pure. */
    public static Replay of(Snapshot checkpoint, List<HealthEvent> events, List<LoggedFrame> frames) {
        Candidate candidate = new Candidate(Board.empty(checkpoint.position()));
        checkpoint
                .workspaces()
                .forEach(tracked -> candidate.put(tracked.health().id(), null, tracked));
        checkpoint.components().forEach(candidate::put);
        List<Step> steps = new ArrayList<>(events.size());
        Flux.fromIterable(events).transform(HealthPipeline.again(candidate)).subscribe(steps::add, error -> {
            throw new IllegalStateException("an event could not be folded", error);
        });
        frames.forEach(candidate::tell);
        Position end = frames.isEmpty()
                ? checkpoint.position()
                : frames.get(frames.size() - 1).position();
        Snapshot folded = candidate.snapshot();
        return new Replay(new Snapshot(end, folded.workspaces(), folded.components()), List.copyOf(steps));
    }
}
