package org.klangk.health.probe;

import java.time.Duration;
import org.klangk.health.workspace.CheckPolicy;
import org.klangk.health.workspace.WorkspaceId;

/**
 * When the next run is due. Pure; times are monotonic nanoseconds. Steady runs stand on a grid of one interval that each
 * workspace has at a phase of its own, so that they neither drift nor bunch.
 */
final class Cadence {
    private Cadence() {}

    /** The first time on the workspace's grid after {@code now}. */
    static long onGrid(WorkspaceId id, Duration interval, long now) {
        long step = interval.toNanos();
        return now + step - Math.floorMod(now - phase(id, step), step);
    }

    private static long phase(WorkspaceId id, long step) {
        long mixed = id.value().hashCode() * 0x9E3779B97F4A7C15L;
        return Math.floorMod(mixed ^ (mixed >>> 32), step);
    }

    /** While starting: a short interval after the last planned time, skipping what was missed. */
    static long whileStarting(CheckPolicy policy, long planned, long now) {
        long step = shorter(policy.startInterval(), policy.interval()).toNanos();
        long next = planned + step;
        return next - now > 0 ? next : now + step - Math.floorMod(now - planned, step);
    }

    /** After attempts that said nothing: soon, then less soon, at most one interval. */
    static long afterNoResult(CheckPolicy policy, int attempts, long now) {
        Duration first = shorter(policy.startInterval(), policy.interval());
        Duration wait = first.multipliedBy(1L << Math.min(attempts - 1, 20));
        return now + shorter(wait, policy.interval()).toNanos();
    }

    private static Duration shorter(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }
}
