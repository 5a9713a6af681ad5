package org.klangk.health.state;

import java.time.Instant;
import org.klangk.health.event.CheckCompleted;

/** What becomes of a result before it is folded. */
public enum Judgement {
    /** Not of the present: another incarnation, an edited check, an older run, or nothing to be checked any more. */
    VOID,
    /** Asked for so soon after another that it would make a streak out of impatience. */
    TOO_SOON,
    /** Did not pass, but its service is still starting. */
    IN_GRACE,
    /** Counts. */
    COUNTED;

    /** Judges one result against what is known; pure. */
    public static Judgement of(WorkspaceHealth known, CheckCompleted completed) {
        if (!known.checkable()
                || completed.incarnation() != known.container().incarnation()
                || completed.checkRevision() != known.checkRevision()
                || completed.run() <= known.lastRun()) {
            return VOID;
        }
        if (!completed.result().passed() && known.inGrace(completed.startedAt())) {
            return IN_GRACE;
        }
        Instant last = known.verdict().lastCountedStart();
        if (completed.onDemand()
                && last != null
                && completed
                        .startedAt()
                        .isBefore(last.plus(known.workspace().policy().startInterval()))) {
            return TOO_SOON;
        }
        return COUNTED;
    }
}
