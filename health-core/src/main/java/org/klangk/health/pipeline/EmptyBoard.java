package org.klangk.health.pipeline;

import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.klangk.health.event.Component;
import org.klangk.health.frame.Position;
import org.klangk.health.workspace.WorkspaceId;

/** Nothing is known, at some place. */
record EmptyBoard(Position position) implements Board {
    @Override
    public @Nullable Tracked find(WorkspaceId id) {
        return null;
    }

    @Override
    public @Nullable WorkspaceId findByName(String owner, String name) {
        return null;
    }

    @Override
    public Collection<Tracked> all() {
        return List.of();
    }

    @Override
    public @Nullable ComponentStatus component(Component component) {
        return null;
    }
}
