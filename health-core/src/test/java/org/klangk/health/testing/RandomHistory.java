package org.klangk.health.testing;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.klangk.health.event.CheckCompleted;
import org.klangk.health.event.CheckOutcome;
import org.klangk.health.event.CheckResult;
import org.klangk.health.event.ContainerPaused;
import org.klangk.health.event.ContainerResumed;
import org.klangk.health.event.ContainerRun;
import org.klangk.health.event.ContainerStarted;
import org.klangk.health.event.ContainerStopped;
import org.klangk.health.event.DeadlinePassed;
import org.klangk.health.event.HealthEvent;
import org.klangk.health.event.ServiceStarted;
import org.klangk.health.event.SetupChanged;
import org.klangk.health.event.StopCause;
import org.klangk.health.event.WorkspaceChanged;
import org.klangk.health.event.WorkspaceDefined;
import org.klangk.health.workspace.SetupState;
import org.klangk.health.workspace.Workspace;

/** Event histories of one workspace by a seed: mostly sensible, sometimes not, always the same for the same seed. */
public final class RandomHistory {
    private final Random random;
    private final List<HealthEvent> events = new ArrayList<>();
    private Instant now = Story.T0;
    private Workspace workspace;
    private int run;
    private int incarnation;
    private int revision = 1;
    private long check;

    private RandomHistory(long seed) {
        random = new Random(seed);
        workspace = definition();
        events.add(new WorkspaceDefined(now, workspace));
    }

    /** A history of {@code length} events after its definition. */
    public static List<HealthEvent> of(long seed, int length) {
        RandomHistory history = new RandomHistory(seed);
        for (int i = 0; i < length; i++) {
            history.next();
        }
        return history.events;
    }

    private Workspace definition() {
        int[] graces = {0, 10, 30};
        String command = "check " + random.nextInt(2);
        return Story.workspace(draft -> draft.healthCheck(random.nextInt(12) == 0 ? null : command)
                .startupGrace(Duration.ofSeconds(graces[random.nextInt(3)]))
                .serviceCommand(random.nextInt(4) == 0 ? "serve" : null)
                .failuresBeforeUnhealthy(1 + random.nextInt(3))
                .successesBeforeHealthy(1 + random.nextInt(2))
                .enabled(random.nextInt(10) > 0));
    }

    private void next() {
        now = now.plusMillis(random.nextInt(random.nextInt(20) == 0 ? 90_000 : 6_000));
        int dice = random.nextInt(100);
        if (dice < 60) {
            events.add(result());
        } else if (dice < 72) {
            run++;
            incarnation++;
            events.add(new ContainerStarted(now, Story.ID, current(), now.minusMillis(random.nextInt(500))));
        } else if (dice < 80) {
            int which = random.nextInt(8) == 0 ? run - 1 : run;
            events.add(new ContainerStopped(
                    now, Story.ID, new ContainerRun("c" + which, Story.T0.plusSeconds(which)), StopCause.exited(1)));
        } else if (dice < 83) {
            events.add(new ContainerPaused(now, Story.ID));
        } else if (dice < 88) {
            events.add(new ContainerResumed(now, Story.ID));
        } else if (dice < 91) {
            events.add(new ServiceStarted(now, Story.ID));
        } else if (dice < 94) {
            edit();
        } else if (dice < 96) {
            SetupState state = random.nextBoolean() ? SetupState.COMPLETE : SetupState.PENDING;
            workspace = workspace.withSetup(state);
            events.add(new SetupChanged(now, Story.ID, state));
        } else {
            events.add(new DeadlinePassed(now, Story.ID));
        }
    }

    private void edit() {
        Workspace before = workspace;
        workspace = definition().withSetup(before.setup());
        revision += workspace.checksLike(before) ? 0 : 1;
        events.add(new WorkspaceChanged(now, workspace));
    }

    private ContainerRun current() {
        return new ContainerRun("c" + run, Story.T0.plusSeconds(run));
    }

    private CheckCompleted result() {
        check++;
        CheckOutcome[] outcomes = CheckOutcome.values();
        CheckOutcome outcome = random.nextBoolean() ? CheckOutcome.PASSED : outcomes[random.nextInt(outcomes.length)];
        return new CheckCompleted(
                now,
                Story.ID,
                random.nextInt(15) == 0 ? incarnation - 1 : incarnation,
                random.nextInt(20) == 0 ? revision - 1 : revision,
                random.nextInt(20) == 0 ? check - 1 : check,
                now.minusMillis(random.nextInt(3_000)),
                Duration.ofMillis(5),
                Duration.ZERO,
                random.nextInt(6) == 0,
                new CheckResult(outcome, 0, outcome == CheckOutcome.PASSED ? null : "why " + check));
    }
}
