package org.klangk.health.service;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.klangk.health.frame.Frame;
import org.klangk.health.stream.WatchRequest;
import org.klangk.health.testing.ScriptedRuntime;
import org.klangk.health.time.HealthClock;
import org.klangk.health.workspace.WorkspaceId;
import reactor.core.publisher.Mono;
import reactor.test.scheduler.VirtualTimeScheduler;

/** A whole service by a clock that the test turns, over containers that do what the test says. */
abstract class ServiceFixture {
    static final WorkspaceId ID = new WorkspaceId("w1");

    final VirtualTimeScheduler time = VirtualTimeScheduler.create();
    final ScriptedRuntime runtime = new ScriptedRuntime();
    final List<Frame> frames = new ArrayList<>();
    Duration wallOffset = Duration.ZERO;
    HealthService health = service();

    private HealthService service() {
        HealthClock virtual = HealthClock.of(time);
        return HealthService.builder()
                .runtime(runtime)
                .scheduler(time)
                .maxConcurrent(2)
                .clock(new HealthClock(() -> virtual.wall().get().plus(wallOffset), virtual.nanos()))
                .build();
    }

    @BeforeEach
    void start() {
        time.advanceTimeBy(Duration.ofDays(20_000));
        health = service();
        health.start().subscribe();
        run(Duration.ZERO);
        health.stream().watch(watched()).subscribe(frames::add);
        run(Duration.ZERO);
    }

    /** What goes into {@link #frames}. */
    WatchRequest watched() {
        return WatchRequest.all();
    }

    @AfterEach
    void stop() {
        health.stop().subscribe();
        run(Duration.ofSeconds(1));
        time.dispose();
    }

    void run(Duration duration) {
        time.advanceTimeBy(duration);
    }

    void runSeconds(double seconds) {
        run(Duration.ofMillis(Math.round(seconds * 1000)));
    }

    Instant now() {
        return Instant.ofEpochMilli(time.now(TimeUnit.MILLISECONDS)).plus(wallOffset);
    }

    /** The one value that comes without any time passing; fails as {@code mono} does. */
    <T> T get(Mono<T> mono) {
        List<T> values = new ArrayList<>();
        List<Throwable> errors = new ArrayList<>();
        mono.subscribe(values::add, errors::add);
        run(Duration.ZERO);
        if (!errors.isEmpty() && errors.get(0) instanceof RuntimeException error) {
            throw error;
        }
        assertThat(values).hasSize(1);
        return values.get(0);
    }
}
