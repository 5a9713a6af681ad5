package org.klangk.health.testing;

import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.klangk.health.event.Component;
import org.klangk.health.frame.Position;
import org.klangk.health.pipeline.Board;
import org.klangk.health.pipeline.ComponentStatus;
import org.klangk.health.pipeline.Tracked;
import org.klangk.health.workspace.WorkspaceId;

/** Nothing is known, at the beginning of a log. */
public record EmptyBoard(String epoch) implements Board {
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
    public Position position() {
        return new Position(epoch, 0);
    }

    @Override
    public @Nullable ComponentStatus component(Component component) {
        return null;
    }
}
