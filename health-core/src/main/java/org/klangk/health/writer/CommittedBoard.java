package org.klangk.health.writer;

import java.util.Collection;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.klangk.health.event.Component;
import org.klangk.health.frame.Position;
import org.klangk.health.pipeline.Board;
import org.klangk.health.pipeline.Commit;
import org.klangk.health.pipeline.ComponentStatus;
import org.klangk.health.pipeline.Snapshot;
import org.klangk.health.pipeline.Tracked;
import org.klangk.health.workspace.Workspace;
import org.klangk.health.workspace.WorkspaceId;

/** The committed state. The writer changes it, anybody reads single workspaces of it; a snapshot is the writer's to take. */
final class CommittedBoard implements Board {
    private record Name(String owner, String name) {
        static Name of(Workspace workspace) {
            return new Name(workspace.owner(), workspace.name());
        }
    }

    private final Map<WorkspaceId, Tracked> workspaces = new ConcurrentHashMap<>();
    private final Map<Name, WorkspaceId> names = new ConcurrentHashMap<>();
    private final Map<Component, ComponentStatus> components =
            Collections.synchronizedMap(new EnumMap<>(Component.class));
    private volatile Position position;
    private @Nullable Snapshot snapshot;

    CommittedBoard(Snapshot known) {
        position = known.position();
        known.workspaces().forEach(this::put);
        components.putAll(known.components());
    }

    @Override
    public @Nullable Tracked find(WorkspaceId id) {
        return workspaces.get(id);
    }

    @Override
    public @Nullable WorkspaceId findByName(String owner, String name) {
        return names.get(new Name(owner, name));
    }

    @Override
    public Collection<Tracked> all() {
        return Collections.unmodifiableCollection(workspaces.values());
    }

    @Override
    public Position position() {
        return position;
    }

    @Override
    public @Nullable ComponentStatus component(Component component) {
        return components.get(component);
    }

    /** On the writer's thread only. */
    void apply(Commit commit) {
        for (Tracked gone : commit.removed()) {
            workspaces.remove(gone.health().id());
            names.remove(Name.of(gone.health().workspace()), gone.health().id());
        }
        commit.changed().forEach(this::put);
        components.putAll(commit.components());
        moveTo(commit.position());
    }

    /** On the writer's thread only: what is known is at another place, of another log. */
    void moveTo(Position place) {
        position = place;
        snapshot = null;
    }

    private void put(Tracked tracked) {
        Tracked before = workspaces.put(tracked.health().id(), tracked);
        Name name = Name.of(tracked.health().workspace());
        if (before == null) {
            names.put(name, tracked.health().id());
        } else if (!Name.of(before.health().workspace()).equals(name)) {
            names.remove(Name.of(before.health().workspace()), before.health().id());
            names.put(name, tracked.health().id());
        }
    }

    /** On the writer's thread only: one object for all who join before the next change. */
    Snapshot snapshot() {
        Snapshot current = snapshot;
        if (current == null) {
            current = new Snapshot(position, List.copyOf(workspaces.values()), Map.copyOf(components));
            snapshot = current;
        }
        return current;
    }
}
