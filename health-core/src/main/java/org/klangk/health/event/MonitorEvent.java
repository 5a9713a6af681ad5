package org.klangk.health.event;

/** A fact about the monitor itself rather than about a workspace. */
public sealed interface MonitorEvent extends HealthEvent permits ComponentDown, ComponentUp, ClockJumped {}
