package org.klangk.health.event;

import java.time.Duration;
import java.time.Instant;

/**
 * The wall clock jumped against the monotonic one. Every anchor of a deadline moves with it, so that no verdict comes of it.
 *
 * @param at the time after the jump
 * @param jump how far; negative when the clock went back
 */
public record ClockJumped(Instant at, Duration jump) implements MonitorEvent {}
