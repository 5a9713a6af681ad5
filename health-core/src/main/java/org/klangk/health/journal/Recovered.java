package org.klangk.health.journal;

import java.util.List;
import java.util.Map;
import org.klangk.health.event.Component;
import org.klangk.health.frame.Position;
import org.klangk.health.pipeline.ComponentStatus;
import org.klangk.health.pipeline.Tracked;

/**
 * What a journal remembers when it is opened.
 *
 * @param position the last frame's place; its epoch is the log's
 * @param workspaces the folded state
 * @param components the parts of the monitor that were heard of
 */
public record Recovered(Position position, List<Tracked> workspaces, Map<Component, ComponentStatus> components) {}
