package org.klangk.health.event;

import java.time.Instant;

/**
 * A part that the monitor depends on works again.
 */
public record ComponentUp(Instant at, Component component) implements MonitorEvent {}
