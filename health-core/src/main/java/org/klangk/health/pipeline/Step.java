package org.klangk.health.pipeline;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.klangk.health.event.HealthEvent;
import org.klangk.health.frame.LoggedFrame;
import org.klangk.health.state.Judgement;

/**
 * One event on its way through the pipeline; each stage fills in its part.
 *
 * @param event what happened
 * @param judgement what becomes of a check's result; {@code VOID} for every other event
 * @param before the workspace before it, null when it was not watched
 * @param after the workspace after it, null when it is not watched any more
 * @param frames what is told because of it, in order
 */
public record Step(
        HealthEvent event,
        Judgement judgement,
        @Nullable Tracked before,
        @Nullable Tracked after,
        List<LoggedFrame> frames) {

    static Step of(HealthEvent event, @Nullable Tracked before) {
        return new Step(event, Judgement.VOID, before, before, List.of());
    }

    Step judged(Judgement newJudgement) {
        return new Step(event, newJudgement, before, after, frames);
    }

    Step after(@Nullable Tracked newAfter) {
        return new Step(event, judgement, before, newAfter, frames);
    }

    Step telling(@Nullable Tracked newAfter, List<LoggedFrame> newFrames) {
        return new Step(event, judgement, before, newAfter, newFrames);
    }
}
