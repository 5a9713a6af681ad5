package org.klangk.health.service;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.klangk.health.frame.Heartbeat;
import org.klangk.health.history.AliveSpan;
import org.klangk.health.probe.ProbeScheduler;
import org.klangk.health.probe.Pulse;
import org.klangk.health.stream.LogStream;
import org.klangk.health.time.HealthClock;
import org.klangk.health.writer.Decision;
import org.klangk.health.writer.Writer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/**
 * Sends a token through scheduler, writer, journal and publisher. When one of them stalls there is no heartbeat, and nobody
 * has to find out by other means.
 */
final class Heartbeats {
    private static final Logger log = LoggerFactory.getLogger(Heartbeats.class);
    private static final Duration BOOKMARK = Duration.ofMinutes(1);

    private final ProbeScheduler scheduler;
    private final Writer writer;
    private final LogStream stream;
    private final Function<Instant, Mono<Void>> alive;
    private final HealthClock clock;
    private final Scheduler timer;
    private final Duration period;
    private final Disposable.Composite timers = Disposables.composite();
    private volatile long lastBeat;

    Heartbeats(
            ProbeScheduler scheduler,
            Writer writer,
            LogStream stream,
            Function<Instant, Mono<Void>> alive,
            HealthClock clock,
            Scheduler timer,
            Duration period) {
        this.scheduler = scheduler;
        this.writer = writer;
        this.stream = stream;
        this.alive = alive;
        this.clock = clock;
        this.timer = timer;
        this.period = period;
    }

    void start() {
        lastBeat = clock.nanos().getAsLong();
        long ms = period.toMillis();
        timers.add(timer.schedulePeriodically(() -> run(beat()), 0, ms, TimeUnit.MILLISECONDS));
        timers.add(timer.schedulePeriodically(
                () -> live(), AliveSpan.MARK_SECONDS, AliveSpan.MARK_SECONDS, TimeUnit.SECONDS));
        timers.add(timer.schedulePeriodically(
                () -> run(mark()), BOOKMARK.toMillis(), BOOKMARK.toMillis(), TimeUnit.MILLISECONDS));
    }

    void stop() {
        timers.dispose();
    }

    private static void run(Mono<?> work) {
        work.subscribe(done -> {}, error -> log.warn("no heartbeat: {}", error.toString()));
    }

    /** What a journal that does not work misses is told by the writer. */
    private void live() {
        alive.apply(clock.wall().get())
                .subscribe(none -> {}, error -> log.debug("being alive was not noted: {}", error.toString()));
    }

    private Mono<Boolean> beat() {
        return scheduler
                .pulse()
                .filter(Pulse::keepsUp)
                .flatMap(pulse -> writer.submit((board, stamp) -> new Decision<>(
                        List.of(),
                        after -> new Heartbeat(
                                stamp.at(),
                                after.position(),
                                period,
                                pulse.watched(),
                                pulse.inFlight(),
                                pulse.worstLateness()))))
                .map(this::tell);
    }

    private boolean tell(Heartbeat beat) {
        stream.beat(beat);
        lastBeat = clock.nanos().getAsLong();
        return true;
    }

    private Mono<Boolean> mark() {
        return writer.snapshot().map(snapshot -> {
            stream.mark(snapshot.position());
            return true;
        });
    }

    /** How long ago the last token came through. */
    Duration silence() {
        return Duration.ofNanos(clock.nanos().getAsLong() - lastBeat);
    }

    /** Whether tokens come through: none has been missing for three periods. */
    boolean alive() {
        return silence().compareTo(period.multipliedBy(3)) <= 0;
    }
}
