package org.klangk.health.pipeline;

import java.util.Collection;
import org.jspecify.annotations.Nullable;
import org.klangk.health.event.Component;
import org.klangk.health.frame.Position;
import org.klangk.health.workspace.WorkspaceId;

/** All that is known at one position of the log, to be read. */
public interface Board {
    /** One on which nothing is known, at {@code position}. */
    static Board empty(Position position) {
        return new EmptyBoard(position);
    }

    /** The workspace with this id, null when it is not watched. */
    @Nullable
    Tracked find(WorkspaceId id);

    /** The id of the owner's workspace of this name, null when there is none. */
    @Nullable
    WorkspaceId findByName(String owner, String name);

    /** Every workspace, in no particular order. */
    Collection<Tracked> all();

    /** The position up to which this is known. */
    Position position();

    /** How a part of the monitor is, null while nothing was heard of it. */
    @Nullable
    ComponentStatus component(Component component);
}
