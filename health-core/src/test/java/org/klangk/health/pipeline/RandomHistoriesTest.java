package org.klangk.health.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.klangk.health.event.HealthEvent;
import org.klangk.health.event.WorkspaceDefined;
import org.klangk.health.frame.LoggedFrame;
import org.klangk.health.frame.Position;
import org.klangk.health.frame.ServiceHealth;
import org.klangk.health.frame.WorkspaceStateFrame;
import org.klangk.health.state.HealthState;
import org.klangk.health.testing.RandomHistory;
import org.klangk.health.testing.Story;
import reactor.core.publisher.Flux;

/** 10,000 histories by seed; a failure names its seed. */
@Tag("long")
class RandomHistoriesTest {
    private static final int HISTORIES = 10_000;
    private static final int LENGTH = 60;

    private static List<LoggedFrame> run(Candidate candidate, List<HealthEvent> events) {
        List<LoggedFrame> frames = new ArrayList<>();
        Flux.fromIterable(events)
                .transform(HealthPipeline.into(candidate))
                .map(Step::frames)
                .subscribe(frames::addAll);
        return frames;
    }

    private static List<String> verdicts(List<LoggedFrame> frames) {
        return frames.stream()
                .filter(ServiceHealth.class::isInstance)
                .map(ServiceHealth.class::cast)
                .map(frame ->
                        frame.seq() + (frame.running() ? frame.healthy() ? " healthy" : " unhealthy" : " stopped"))
                .toList();
    }

    @Test
    void every_history_folds_to_the_state_of_the_reference_model_and_tells_its_verdicts() {
        int told = 0;
        for (long seed = 0; seed < HISTORIES; seed++) {
            List<HealthEvent> events = RandomHistory.of(seed, LENGTH);
            ReferenceModel model = new ReferenceModel((WorkspaceDefined) events.get(0));
            events.stream().skip(1).forEach(model::apply);
            Candidate candidate = new Candidate(Board.empty(new Position("E", 0)));
            List<LoggedFrame> frames = run(candidate, events);
            Tracked tracked = Objects.requireNonNull(candidate.find(Story.ID));
            assertThat(verdicts(frames)).as("seed %d", seed).isEqualTo(model.verdicts);
            assertThat(tracked.health().verdict().healthy()).as("seed %d", seed).isEqualTo(model.healthy);
            assertThat(tracked.health().verdict().streak().count())
                    .as("seed %d", seed)
                    .isEqualTo(model.streak);
            assertThat(tracked.health().container().incarnation())
                    .as("seed %d", seed)
                    .isEqualTo(model.inc);
            assertThat(tracked.health().container().run()).as("seed %d", seed).isEqualTo(model.container);
            told += model.verdicts.size();
        }
        assertThat(told).isGreaterThan(HISTORIES * 3);
    }

    @Test
    void a_prefix_and_then_the_rest_give_the_same_frames_as_the_whole() {
        for (long seed = 0; seed < HISTORIES; seed++) {
            List<HealthEvent> events = RandomHistory.of(seed, LENGTH);
            int cut = 1 + new Random(seed).nextInt(events.size() - 1);
            List<LoggedFrame> whole = run(new Candidate(Board.empty(new Position("E", 0))), events);
            Candidate first = new Candidate(Board.empty(new Position("E", 0)));
            List<LoggedFrame> parts = new ArrayList<>(run(first, events.subList(0, cut)));
            Candidate second = new Candidate(first);
            parts.addAll(run(second, events.subList(cut, events.size())));
            assertThat(parts).as("seed %d cut at %d", seed, cut).isEqualTo(whole);
        }
    }

    @Test
    void a_subscriber_that_folds_the_frames_knows_the_state_the_server_knows() {
        for (long seed = 0; seed < HISTORIES; seed++) {
            List<HealthEvent> events = RandomHistory.of(seed, LENGTH);
            Candidate candidate = new Candidate(Board.empty(new Position("E", 0)));
            HealthState known = null;
            for (HealthEvent event : events) {
                for (LoggedFrame frame : run(candidate, List.of(event))) {
                    if (frame instanceof ServiceHealth health) {
                        known = health.state();
                    } else if (frame instanceof WorkspaceStateFrame state) {
                        known = state.state();
                    }
                }
                HealthState served = Objects.requireNonNull(candidate.find(Story.ID))
                        .health()
                        .stateAt(event.at())
                        .state();
                // Time alone makes a state stale, and its own event tells that.
                if (served != HealthState.STALE) {
                    assertThat(known).as("seed %d at %s", seed, event).isEqualTo(served);
                }
            }
        }
    }
}
