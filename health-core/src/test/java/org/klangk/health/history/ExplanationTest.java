package org.klangk.health.history;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.klangk.health.event.CheckCompleted;
import org.klangk.health.event.CheckOutcome;
import org.klangk.health.event.CheckResult;
import org.klangk.health.event.ContainerRun;
import org.klangk.health.event.ContainerStarted;
import org.klangk.health.event.ContainerStopped;
import org.klangk.health.event.HealthEvent;
import org.klangk.health.event.StopCause;
import org.klangk.health.event.WorkspaceDefined;
import org.klangk.health.frame.ServiceHealth;
import org.klangk.health.pipeline.Commit;
import org.klangk.health.pipeline.Step;
import org.klangk.health.testing.Commits;
import org.klangk.health.testing.Story;
import org.klangk.health.workspace.Workspace;

class ExplanationTest {
    private static final ContainerRun RUN = new ContainerRun("c1", Story.T0);

    private final Commits commits = new Commits("E");
    private final Recorder recorder = new Recorder();
    private final Map<Long, HistoryEntry> past = new LinkedHashMap<>();
    private final Workspace workspace = Story.workspace(draft -> draft.startupGrace(Duration.ofSeconds(20)));
    private long number;
    private long run;
    private long told;

    private void happens(HealthEvent event) {
        Commit commit = commits.of(event);
        for (Step step : commit.steps()) {
            number++;
            recorder.record(number, step).forEach(entry -> past.put(entry.id(), entry));
        }
        told += commit.frames().stream()
                .filter(frame -> frame instanceof ServiceHealth health && health.running())
                .count();
    }

    private void begin() {
        happens(new WorkspaceDefined(Story.T0, workspace));
        happens(new ContainerStarted(Story.T0, Story.ID, RUN, Story.T0));
    }

    /** One result every 10 s: S passed, F failed. */
    private void results(String results) {
        for (int i = 0; i < results.length(); i++) {
            run++;
            var at = Story.T0.plusSeconds(10 * run);
            CheckResult gave = results.charAt(i) == 'S'
                    ? new CheckResult(CheckOutcome.PASSED, 0, null)
                    : new CheckResult(CheckOutcome.FAILED, 1, "exited 1");
            happens(new CheckCompleted(at, Story.ID, 1, 1, run, at, Duration.ofMillis(5), Duration.ZERO, false, gave));
        }
    }

    private Explanation explain(OtherPolicy policy) {
        return Explanation.of(workspace, new ArrayList<>(past.values()), policy);
    }

    @Test
    void it_says_what_each_result_did() {
        begin();
        results("FFSSSFS");
        happens(new ContainerStopped(Story.T0.plusSeconds(99), Story.ID, RUN, StopCause.exited(3)));
        assertThat(explain(OtherPolicy.NONE).steps())
                .extracting(step -> step.what() + (step.effect().isEmpty() ? "" : " -> " + step.effect()))
                .containsExactly(
                        "defined: checked every 30s, unhealthy after 1, healthy after 1, grace 20s",
                        "container started",
                        "failed (exited 1) -> in grace: not counted",
                        "failed (exited 1) -> unhealthy",
                        "3 passed -> healthy",
                        "failed (exited 1) -> unhealthy",
                        "passed -> healthy",
                        "container stopped: exited 3");
        assertThat(explain(OtherPolicy.NONE).turns()).isEqualTo(3);
    }

    @Test
    void under_another_policy_the_same_past_turns_less_often() {
        begin();
        results("SS" + "FS".repeat(30) + "FFFF" + "SS");
        assertThat(explain(OtherPolicy.NONE).turns()).isEqualTo(62);
        Explanation other = explain(new OtherPolicy(3, 2, null));
        assertThat(other.turns()).isEqualTo(2);
        assertThat(other.steps()).extracting(Explanation.Step::effect).contains("1 of 3 to be unhealthy");
        assertThat(other.steps().get(other.steps().size() - 2).effect()).isEqualTo("unhealthy at result 3");
        assertThat(explain(new OtherPolicy(null, null, Duration.ofHours(1))).turns())
                .isZero();
    }

    @Test
    void under_its_own_policy_it_turns_as_often_as_was_told_whatever_happened() {
        Random random = new Random(11);
        begin();
        for (int i = 0; i < 400; i++) {
            results(random.nextInt(3) == 0 ? "F" : "S");
        }
        assertThat(explain(OtherPolicy.NONE).turns()).isEqualTo((int) told - 1);
    }

    @Test
    void a_past_that_begins_in_the_middle_is_explained_from_there() {
        begin();
        results("SSSFFFSSS");
        List<HistoryEntry> rest = past.values().stream()
                .filter(ResultRun.class::isInstance)
                .skip(1)
                .toList();
        Explanation explanation = Explanation.of(workspace, rest, OtherPolicy.NONE);
        assertThat(explanation.turns()).isEqualTo(1);
        assertThat(explanation.steps()).extracting(Explanation.Step::effect).containsExactly("unhealthy", "healthy");
    }
}
