package org.klangk.health.pipeline;

import java.time.Duration;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.klangk.health.event.Component;
import org.klangk.health.frame.LoggedFrame;
import org.klangk.health.frame.Position;
import org.klangk.health.state.WorkspaceHealth;
import org.klangk.health.workspace.WorkspaceId;

/**
 * What would be known if the events folded so far were committed: the committed state below, what changed above it. Not
 * thread-safe; one batch of the writer uses one.
 */
public final class Candidate implements Board {
    private final Board committed;
    private final Map<WorkspaceId, Tracked> changed = new LinkedHashMap<>();
    private final Map<WorkspaceId, Tracked> removed = new HashMap<>();
    private final Map<Component, ComponentStatus> components = new EnumMap<>(Component.class);
    final Numbering numbering;

    /** Begins where {@code committed} is. */
    public Candidate(Board committed) {
        this.committed = committed;
        this.numbering = new Numbering(committed.position());
    }

    @Override
    public @Nullable Tracked find(WorkspaceId id) {
        Tracked tracked = changed.get(id);
        return tracked != null ? tracked : removed.containsKey(id) ? null : committed.find(id);
    }

    @Override
    public @Nullable WorkspaceId findByName(String owner, String name) {
        for (Tracked tracked : changed.values()) {
            if (tracked.health().workspace().name().equals(name)
                    && tracked.health().workspace().owner().equals(owner)) {
                return tracked.health().id();
            }
        }
        WorkspaceId id = committed.findByName(owner, name);
        return id == null || removed.containsKey(id) || changed.containsKey(id) ? null : id;
    }

    @Override
    public Collection<Tracked> all() {
        Map<WorkspaceId, Tracked> all = new LinkedHashMap<>();
        committed.all().forEach(tracked -> all.put(tracked.health().id(), tracked));
        removed.keySet().forEach(all::remove);
        all.putAll(changed);
        return all.values();
    }

    @Override
    public Position position() {
        return numbering.last();
    }

    @Override
    public @Nullable ComponentStatus component(Component component) {
        ComponentStatus status = components.get(component);
        return status == null ? committed.component(component) : status;
    }

    void put(WorkspaceId id, @Nullable Tracked before, @Nullable Tracked after) {
        if (after != null) {
            removed.remove(id);
            changed.put(id, after);
        } else if (before != null) {
            changed.remove(id);
            removed.put(id, before);
        }
    }

    void put(Component component, ComponentStatus status) {
        components.put(component, status);
    }

    /** This frame was told. */
    void tell(LoggedFrame frame) {
        WorkspaceId id = frame.workspaceId();
        Tracked tracked = id == null ? null : find(id);
        if (tracked != null) {
            changed.put(
                    tracked.health().id(),
                    new Tracked(tracked.health(), tracked.told().and(frame)));
        }
    }

    void shift(Duration jump) {
        for (Tracked tracked : all()) {
            WorkspaceHealth health = tracked.health().shift(jump);
            changed.put(health.id(), new Tracked(health, tracked.told()));
        }
    }

    /** What there is to commit: the steps that led here, and what changed. */
    public Commit commit(List<Step> steps) {
        return new Commit(
                position(),
                steps,
                steps.stream().flatMap(step -> step.frames().stream()).toList(),
                changed.values(),
                removed.values(),
                components);
    }

    /** All that would be known. */
    public Snapshot snapshot() {
        Map<Component, ComponentStatus> parts = new EnumMap<>(Component.class);
        for (Component component : Component.values()) {
            ComponentStatus status = component(component);
            if (status != null) {
                parts.put(component, status);
            }
        }
        return new Snapshot(position(), List.copyOf(all()), Map.copyOf(parts));
    }
}
