package org.klangk.health.server.bench;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.klangk.health.frame.FrameKind;
import org.klangk.health.frame.LoggedFrame;
import org.klangk.health.service.HealthService;
import org.klangk.health.stream.WatchRequest;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * From a change of a workspace to its frames at every subscriber in this process: decided, folded, numbered, kept, told. The
 * floor tells an array of counters and does nothing else.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 3, time = 3)
@Measurement(iterations = 5, time = 3)
@Fork(value = 1, jvmArgsAppend = "-Xmx3g")
public class FanOutBenchmark {
    private static final int CHANGES = 1000;
    private static final int FRAMES = CHANGES * Changes.FRAMES_PER_CHANGE;

    @Param({"1", "100", "1000"})
    private int subscribers;

    private final Changes changes = new Changes();
    private final LongAdder told = new LongAdder();
    private LongAdder[] counters = {};
    private @Nullable HealthService health;
    private long expected;

    /** Subscribers that have had their snapshot. */
    @Setup
    public void subscribe() {
        HealthService started = changes.start();
        health = started;
        counters = new LongAdder[subscribers];
        for (int i = 0; i < subscribers; i++) {
            counters[i] = new LongAdder();
            started.stream()
                    .watch(WatchRequest.all())
                    .filter(frame -> frame instanceof LoggedFrame logged && logged.kind() == FrameKind.CHANGE)
                    .subscribe(frame -> told.increment());
        }
        changes.make(CHANGES);
        while (told.sum() == 0) {
            LockSupport.parkNanos(50_000);
        }
    }

    @TearDown
    public void stop() {
        if (health != null) {
            health.stop().block();
        }
    }

    /** Frames of changes; multiply by the subscribers for deliveries. */
    @Benchmark
    @OperationsPerInvocation(FRAMES)
    public long stream() {
        long from = told.sum();
        changes.make(CHANGES);
        expected = from + (long) FRAMES * subscribers;
        while (told.sum() < expected) {
            LockSupport.parkNanos(50_000);
        }
        return told.sum();
    }

    /** The floor. */
    @Benchmark
    @OperationsPerInvocation(FRAMES)
    public long arrayOfCounters() {
        for (int frame = 0; frame < FRAMES; frame++) {
            for (LongAdder counter : counters) {
                counter.increment();
            }
        }
        return counters[0].sum();
    }
}
