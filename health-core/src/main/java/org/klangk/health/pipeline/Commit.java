package org.klangk.health.pipeline;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.klangk.health.event.Component;
import org.klangk.health.frame.LoggedFrame;
import org.klangk.health.frame.Position;

/**
 * What is committed together: events, what they led to, and what is known after them.
 *
 * @param position the last frame committed
 * @param steps every event with what it led to
 * @param frames all their frames, in order
 * @param changed workspaces that changed, as they are now
 * @param removed workspaces that are not watched any more, as they last were
 * @param components the parts of the monitor that changed, as they are now
 */
public record Commit(
        Position position,
        List<Step> steps,
        List<LoggedFrame> frames,
        Collection<Tracked> changed,
        Collection<Tracked> removed,
        Map<Component, ComponentStatus> components) {

    public Commit {
        steps = List.copyOf(steps);
        frames = List.copyOf(frames);
        changed = List.copyOf(changed);
        removed = List.copyOf(removed);
        components = Map.copyOf(components);
    }
}
