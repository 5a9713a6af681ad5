package org.klangk.health.pipeline;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.klangk.health.event.Component;
import org.klangk.health.frame.Frame;
import org.klangk.health.frame.FrameKind;
import org.klangk.health.frame.MonitorHealth;
import org.klangk.health.frame.Position;
import org.klangk.health.frame.View;
import org.klangk.health.frame.WorkspaceStateFrame;
import org.klangk.health.state.StateSince;

/**
 * All that is known at one position, for those who join there. Immutable and shared.
 *
 * @param position changes follow from here
 * @param workspaces every workspace
 * @param components the parts of the monitor that were heard of
 */
public record Snapshot(Position position, List<Tracked> workspaces, Map<Component, ComponentStatus> components) {

    /** The frames of a snapshot in {@code view} as things are at {@code now}, without its end. */
    public Stream<Frame> frames(View view, Instant now) {
        Stream<Frame> workspaceFrames = workspaces.stream()
                .flatMap(tracked -> frame(tracked, view, now))
                .map(Frame.class::cast);
        if (view == View.KLANGK) {
            return workspaceFrames;
        }
        Stream<Frame> monitor = components.entrySet().stream()
                .filter(entry -> !entry.getValue().healthy())
                .map(entry -> new MonitorHealth(
                        entry.getKey(), false, entry.getValue().message(), FrameKind.SNAPSHOT, position));
        return Stream.concat(workspaceFrames, monitor);
    }

    private Stream<? extends Frame> frame(Tracked tracked, View view, Instant now) {
        var health = tracked.health();
        StateSince state = health.stateAt(now);
        Boolean healthy = health.verdict().healthy();
        if (health.container().running() && healthy != null) {
            return Stream.of(Transitions.verdict(
                    health,
                    state,
                    healthy,
                    tracked.told().seq(),
                    FrameKind.SNAPSHOT,
                    new Position(position.epoch(), tracked.told().healthRev())));
        }
        return view == View.KLANGK
                ? Stream.empty()
                : Stream.of(new WorkspaceStateFrame(
                        health.id(),
                        state.state(),
                        state.reason(),
                        state.since(),
                        FrameKind.SNAPSHOT,
                        new Position(position.epoch(), tracked.told().rev())));
    }
}
