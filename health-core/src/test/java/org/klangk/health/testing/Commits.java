package org.klangk.health.testing;

import java.util.ArrayList;
import java.util.List;
import org.klangk.health.event.HealthEvent;
import org.klangk.health.frame.Position;
import org.klangk.health.pipeline.Board;
import org.klangk.health.pipeline.Candidate;
import org.klangk.health.pipeline.Commit;
import org.klangk.health.pipeline.HealthPipeline;
import org.klangk.health.pipeline.Snapshot;
import org.klangk.health.pipeline.Step;
import reactor.core.publisher.Flux;

/** What a writer would commit, event by event, through the real pipeline. */
public final class Commits {
    private Candidate known;

    /** A log that begins with nothing. */
    public Commits(String epoch) {
        known = new Candidate(Board.empty(new Position(epoch, 0)));
    }

    /** The commit of these events together. */
    public Commit of(List<HealthEvent> events) {
        Candidate next = new Candidate(known);
        List<Step> steps = new ArrayList<>();
        Flux.fromIterable(events).transform(HealthPipeline.into(next)).subscribe(steps::add);
        known = next;
        return next.commit(steps);
    }

    /** The commit of these events together. */
    public Commit of(HealthEvent... events) {
        return of(List.of(events));
    }

    /** All that is known. */
    public Snapshot known() {
        return known.snapshot();
    }

    /** Where the log is. */
    public Position position() {
        return known.position();
    }
}
