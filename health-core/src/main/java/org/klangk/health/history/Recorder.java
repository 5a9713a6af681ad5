package org.klangk.health.history;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.klangk.health.event.CheckCompleted;
import org.klangk.health.event.ClockJumped;
import org.klangk.health.event.DeadlinePassed;
import org.klangk.health.event.StopCause;
import org.klangk.health.pipeline.Step;
import org.klangk.health.pipeline.Tracked;
import org.klangk.health.state.HealthState;
import org.klangk.health.state.Judgement;
import org.klangk.health.state.StateSince;
import org.klangk.health.workspace.WorkspaceId;

/**
 * Steps to history. It remembers the run of results that each workspace is in, so that an equal result makes it longer. Events
 * are numbered; an event's entry has twice its number, the change of state that it made one more. Not thread-safe.
 */
public final class Recorder {
    private final Map<WorkspaceId, ResultRun> running = new HashMap<>();

    /**
     * The entries of one step: new ones, or a run that became longer under the number it had.
     *
     * @param number the event's number, higher than the last one's
     */
    public List<HistoryEntry> record(long number, Step step) {
        List<HistoryEntry> entries = new ArrayList<>(2);
        long rev = step.frames().isEmpty()
                ? 0
                : step.frames().get(step.frames().size() - 1).position().rev();
        Transition transition = transition(2 * number + 1, rev, step);
        if (step.event() instanceof CheckCompleted result) {
            entries.add(result(2 * number, rev, result, step.judgement() == Judgement.COUNTED, transition != null));
        } else {
            interrupted(step);
            if (!(step.event() instanceof DeadlinePassed)) {
                entries.add(new Happened(2 * number, rev, step.event()));
            }
        }
        if (transition != null) {
            entries.add(transition);
        }
        return entries;
    }

    private ResultRun result(long id, long rev, CheckCompleted result, boolean counted, boolean turned) {
        ResultRun now = running.get(result.workspaceId());
        ResultRun next = now != null && !turned && rev == 0 && now.goesOnWith(result, counted)
                ? now.and(result)
                : ResultRun.of(id, rev, result, counted);
        running.put(result.workspaceId(), next);
        return next;
    }

    private void interrupted(Step step) {
        Tracked about = step.before();
        if (about != null) {
            running.remove(about.health().id());
        } else if (step.event() instanceof ClockJumped) {
            running.clear();
        }
    }

    private @Nullable Transition transition(long id, long rev, Step step) {
        Tracked before = step.before();
        Tracked after = step.after();
        Tracked about = after == null ? before : after;
        if (about == null) {
            return null;
        }
        HealthState was = before == null ? null : before.health().shown().state();
        StateSince is = after == null ? null : after.health().shown();
        if (before != null && is != null && is.equals(before.health().shown())) {
            return null;
        }
        StopCause stop = about.health().container().stopCause();
        boolean stopped = is != null && is.state() == HealthState.STOPPED;
        return new Transition(
                id,
                rev,
                step.event().at(),
                about.health().id(),
                was,
                is,
                is == null ? null : about.health().verdict().message(),
                stopped && stop != null ? stop.kind() : null);
    }
}
