package org.klangk.health.writer;

import java.util.Collection;
import java.util.List;
import org.klangk.health.frame.LoggedFrame;
import org.klangk.health.frame.Position;
import org.klangk.health.pipeline.Step;
import org.klangk.health.pipeline.Tracked;

/**
 * What one commit made visible.
 *
 * @param position the last frame committed
 * @param steps every event with what it led to
 * @param frames all their frames, in order
 * @param changed workspaces that changed, as they are now
 * @param removed workspaces that are not watched any more, as they last were
 */
public record Commit(
        Position position,
        List<Step> steps,
        List<LoggedFrame> frames,
        Collection<Tracked> changed,
        Collection<Tracked> removed) {}
