package org.klangk.health.writer;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;
import org.klangk.health.time.HealthClock;

/**
 * Gives events their time: the wall clock, never going back, and a jump of it told apart from the passing of time. Not
 * thread-safe; the writer's own.
 */
final class Stamper {
    /** A difference between the two clocks above this is a jump; below it is drift or a small correction. */
    static final Duration JUMP = Duration.ofSeconds(5);

    private final HealthClock clock;
    private Instant wall;
    private long nanos;
    private Instant last;

    Stamper(HealthClock clock) {
        this.clock = clock;
        wall = clock.wall().get();
        nanos = clock.nanos().getAsLong();
        last = whole(wall);
    }

    /**
     * The present.
     *
     * @param jump how far the wall clock jumped since the last stamp, null when it did not
     */
    record Reading(Stamp stamp, @Nullable Duration jump) {}

    /** As precise as what clients and the journal are told, so that all of them know the same. */
    private static Instant whole(Instant instant) {
        return instant.truncatedTo(ChronoUnit.MILLIS);
    }

    Reading read() {
        long nowNanos = clock.nanos().getAsLong();
        Instant now = clock.wall().get();
        Duration jump = Duration.between(wall.plusNanos(nowNanos - nanos), now);
        boolean jumped = jump.abs().compareTo(JUMP) > 0;
        wall = now;
        nanos = nowNanos;
        last = jumped || now.isAfter(last) ? whole(now) : last;
        return new Reading(new Stamp(last, nowNanos), jumped ? jump : null);
    }
}
