package org.klangk.health.pipeline;

import static org.klangk.health.workspace.SetupState.COMPLETE;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.klangk.health.event.*;
import org.klangk.health.workspace.Workspace;

/** What the contract says of verdicts and frames, as plainly as it can be written, to compare the real fold with. */
final class ReferenceModel {
    Workspace w;
    long inc, run, lastRun, seq;
    int rev = 1, streak;
    boolean streakPassed, paused;
    @Nullable
    Boolean healthy, told;

    @Nullable
    ContainerRun container;

    @Nullable
    Instant started, launched, countedStart;
    List<String> verdicts = new ArrayList<>();

    ReferenceModel(WorkspaceDefined defined) {
        w = defined.workspace();
    }

    void apply(HealthEvent event) {
        if (event instanceof ContainerStarted e && !e.run().equals(container)) {
            die();
            inc++;
            container = e.run();
            started = e.startedAt();
            launched = null;
            paused = false;
        } else if (event instanceof ContainerStopped e && e.run().equals(container)) die();
        else if (event instanceof ContainerPaused && container != null) paused = true;
        else if (event instanceof ContainerResumed) paused = false;
        else if (event instanceof ServiceStarted && container != null) launched = event.at();
        else if (event instanceof SetupChanged e) w = w.withSetup(e.setup());
        else if (event instanceof WorkspaceChanged e) {
            if (!e.workspace().checksLike(w)) {
                rev++;
                streak = 0;
                countedStart = null;
            }
            if (e.workspace().healthCheck() == null) healthy = null;
            w = e.workspace();
        } else if (event instanceof CheckCompleted e) result(e);
        if (container != null && healthy != null && !healthy.equals(told))
            verdicts.add(++seq + (healthy ? " healthy" : " unhealthy"));
        told = container == null ? null : healthy == null ? told : healthy;
    }

    private void die() {
        if (container != null) verdicts.add(++seq + " stopped");
        container = null;
        healthy = null;
        told = null;
        streak = 0;
        countedStart = null;
    }

    private void result(CheckCompleted e) {
        boolean checked =
                container != null && w.healthCheck() != null && w.enabled() && w.setup() == COMPLETE && !paused;
        if (!checked || e.incarnation() != inc || e.checkRevision() != rev || e.run() <= lastRun) return;
        boolean passed = e.result().passed(), grace = inGrace(e.startedAt());
        if (!(grace && !passed)
                && e.onDemand()
                && countedStart != null
                && e.startedAt().isBefore(countedStart.plus(w.policy().startInterval()))) return;
        lastRun = e.run();
        if (grace && !passed) return;
        streak = streakPassed == passed ? streak + 1 : 1;
        streakPassed = passed;
        countedStart = e.startedAt();
        int needed = passed ? w.policy().successesBeforeHealthy() : w.policy().failuresBeforeUnhealthy();
        if (streak >= needed || (passed && grace)) healthy = passed;
    }

    private boolean inGrace(Instant start) {
        if (w.policy().startupGrace().isZero() || started == null) return false;
        Instant until = launched != null
                ? launched.plus(w.policy().startupGrace())
                : w.serviceCommand() == null ? started.plus(w.policy().startupGrace()) : started.plusSeconds(600);
        return start.isBefore(until);
    }
}
