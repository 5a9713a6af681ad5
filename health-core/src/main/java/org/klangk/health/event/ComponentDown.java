package org.klangk.health.event;

import java.time.Instant;

/**
 * A part that the monitor depends on stopped working.
 *
 * @param message what was seen, for a person
 */
public record ComponentDown(Instant at, Component component, String message) implements MonitorEvent {}
