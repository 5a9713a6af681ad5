package org.klangk.health.history;

import java.time.Instant;
import java.util.List;
import org.klangk.health.workspace.Workspace;

/**
 * How a workspace came to be what it is: the fold of its past, step by step, in words.
 *
 * @param steps what happened and what it did, oldest first
 * @param turns how often the verdict turned from healthy to unhealthy or back
 */
public record Explanation(List<Step> steps, int turns) {
    /**
     * One thing that happened and what it did.
     *
     * @param at when it happened, or began
     * @param what what happened
     * @param effect what came of it, empty when nothing did
     * @param turned whether the verdict turned
     */
    public record Step(Instant at, String what, String effect, boolean turned) {}

    /**
     * The explanation of a past under a policy, as far as the past is kept. What was known before its first entry is not: it
     * begins as a workspace that was not judged yet and long out of grace. Pure.
     *
     * @param workspace the present definition, for a past that has none
     * @param past entries of one workspace, oldest first
     */
    public static Explanation of(Workspace workspace, List<HistoryEntry> past, OtherPolicy policy) {
        Refold refold = new Refold(workspace, policy);
        past.forEach(refold::next);
        return refold.explanation();
    }
}
