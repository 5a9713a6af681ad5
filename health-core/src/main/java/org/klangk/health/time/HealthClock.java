package org.klangk.health.time;

import java.time.Clock;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import reactor.core.scheduler.Scheduler;

/**
 * The two clocks a monitor needs. May be used on any thread.
 *
 * @param wall the time of day, which may jump
 * @param nanos a monotonic reading in nanoseconds, which never does
 */
public record HealthClock(Supplier<Instant> wall, LongSupplier nanos) {

    /** The machine's clocks. */
    public static HealthClock system() {
        return new HealthClock(Clock.systemUTC()::instant, System::nanoTime);
    }

    /** Both clocks by a scheduler's, which a test may turn by hand. */
    public static HealthClock of(Scheduler scheduler) {
        return new HealthClock(
                () -> Instant.ofEpochMilli(scheduler.now(TimeUnit.MILLISECONDS)),
                () -> scheduler.now(TimeUnit.NANOSECONDS));
    }
}
