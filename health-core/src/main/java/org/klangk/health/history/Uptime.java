package org.klangk.health.history;

import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.klangk.health.event.StopCause;
import org.klangk.health.state.HealthState;
import org.klangk.health.state.StateSince;

/**
 * What a window of time was for a workspace; the four add up to the window.
 *
 * @param from the window's begin
 * @param to its end
 * @param up healthy
 * @param down unhealthy, or its container was stopped by something else than a request
 * @param couldNotTell not judged yet, stale, or the monitor was not alive
 * @param off not to be checked: stopped on request, never started, paused, no check, not defined yet
 */
public record Uptime(Instant from, Instant to, Duration up, Duration down, Duration couldNotTell, Duration off) {
    /** Marks come every {@link AliveSpan#MARK_SECONDS} s; the monitor may have lived on until the next. */
    private static final Duration UNMARKED = Duration.ofSeconds(AliveSpan.MARK_SECONDS);

    private enum Bucket {
        UP,
        DOWN,
        COULD_NOT_TELL,
        OFF
    }

    /**
     * The sum of a window. Pure.
     *
     * @param now the state that it has now, for when no change of it is known
     * @param transitions all of the workspace in the window and the last one before it, oldest first
     * @param alive when the monitor was alive in it, oldest first
     */
    public static Uptime between(
            Instant from, Instant to, StateSince now, List<Transition> transitions, List<AliveSpan> alive) {
        Map<Bucket, Duration> sums = new EnumMap<>(Bucket.class);
        HealthState first =
                transitions.isEmpty() ? now.state() : transitions.get(0).from();
        Bucket current = first == null ? Bucket.OFF : bucket(first, null);
        Instant since = from;
        for (Transition transition : transitions) {
            Instant next = clamp(transition.since(), since, to);
            add(sums, current, since, next, alive);
            current = bucket(transition);
            since = next;
        }
        add(sums, current, since, to, alive);
        return new Uptime(
                from,
                to,
                sum(sums, Bucket.UP),
                sum(sums, Bucket.DOWN),
                sum(sums, Bucket.COULD_NOT_TELL),
                sum(sums, Bucket.OFF));
    }

    private static Instant clamp(Instant instant, Instant earliest, Instant latest) {
        return instant.isBefore(earliest) ? earliest : instant.isAfter(latest) ? latest : instant;
    }

    /** Nothing changes while there is nothing to check; everything else is known only of times in which somebody looked. */
    private static void add(
            Map<Bucket, Duration> sums, Bucket bucket, Instant from, Instant to, List<AliveSpan> alive) {
        Duration whole = Duration.between(from, to);
        Duration known = bucket == Bucket.OFF ? whole : overlap(from, to, alive);
        sums.merge(bucket, known, Duration::plus);
        sums.merge(Bucket.COULD_NOT_TELL, whole.minus(known), Duration::plus);
    }

    private static Duration overlap(Instant from, Instant to, List<AliveSpan> alive) {
        Duration sum = Duration.ZERO;
        Instant done = from;
        for (int i = 0; i < alive.size(); i++) {
            Instant end = alive.get(i).to();
            // The present is later than the latest mark; an earlier life may have ended just after its last one.
            if (i == alive.size() - 1 && Duration.between(end, to).compareTo(UNMARKED.multipliedBy(2)) < 0) {
                end = to;
            }
            Instant start = clamp(alive.get(i).from(), done, to);
            Instant stop = clamp(end, start, to);
            sum = sum.plus(Duration.between(start, stop));
            done = stop;
        }
        return sum;
    }

    private static Bucket bucket(Transition transition) {
        return transition.to() == null ? Bucket.OFF : bucket(transition.to().state(), transition.stop());
    }

    private static Bucket bucket(HealthState state, StopCause.@Nullable Kind stop) {
        return switch (state) {
            case HEALTHY -> Bucket.UP;
            case UNHEALTHY -> Bucket.DOWN;
            case STOPPED -> stop == null || stop == StopCause.Kind.REQUESTED ? Bucket.OFF : Bucket.DOWN;
            case NOT_CHECKED -> Bucket.OFF;
            case UNKNOWN, STARTING, STALE -> Bucket.COULD_NOT_TELL;
        };
    }

    private static Duration sum(Map<Bucket, Duration> sums, Bucket bucket) {
        return sums.getOrDefault(bucket, Duration.ZERO);
    }
}
