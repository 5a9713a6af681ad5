package org.klangk.health.pipeline;

import java.util.ArrayList;
import java.util.List;
import org.klangk.health.frame.LoggedFrame;
import org.klangk.health.frame.Position;

/** Gives every frame its place in the log: one number each, without a gap. */
final class Numbering {
    private final String epoch;
    private long rev;

    Numbering(Position last) {
        epoch = last.epoch();
        rev = last.rev();
    }

    Position last() {
        return new Position(epoch, rev);
    }

    Step number(Step step) {
        if (step.frames().isEmpty()) {
            return step;
        }
        List<LoggedFrame> numbered = new ArrayList<>(step.frames().size());
        Tracked after = step.after();
        Told told = after == null ? Told.NOTHING : after.told();
        for (LoggedFrame frame : step.frames()) {
            rev++;
            LoggedFrame placed = frame.at(new Position(epoch, rev));
            numbered.add(placed);
            told = told.at(placed);
        }
        return step.telling(after == null ? null : new Tracked(after.health(), told), List.copyOf(numbered));
    }
}
