package org.klangk.health.service;

import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.klangk.health.journal.Journal;
import org.klangk.health.policy.Redaction;
import org.klangk.health.runtime.ContainerRuntime;
import org.klangk.health.time.HealthClock;
import org.klangk.health.workspace.HealthDefaults;
import org.klangk.health.workspace.ProbeKind;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/** Describes a {@link HealthService}; only the runtime has to be named. Not thread-safe. */
public final class HealthServiceBuilder {
    /** Starting a process where the check runs is that much cheaper than starting it from outside, or more. */
    private static final int SESSIONS_PER_EXEC = 4;

    private @Nullable ContainerRuntime runtime;
    private Journal journal = Journal.inMemory();
    private HealthDefaults defaults = HealthDefaults.standard();
    private HealthClock clock = HealthClock.system();
    private Redaction redaction = Redaction.standard();
    private Duration heartbeatPeriod = Duration.ofSeconds(5);
    private @Nullable Duration labels;
    private boolean autoStart;
    private @Nullable Scheduler scheduler;
    private @Nullable Integer maxConcurrent;

    HealthServiceBuilder() {}

    /** What runs the containers. */
    public HealthServiceBuilder runtime(ContainerRuntime value) {
        runtime = value;
        return this;
    }

    /** Where events and frames are kept; in memory unless told otherwise. */
    public HealthServiceBuilder journal(Journal value) {
        journal = value;
        return this;
    }

    /** What a definition means where it is silent. */
    public HealthServiceBuilder defaults(HealthDefaults value) {
        defaults = value;
        return this;
    }

    /** How often heartbeats are told; 5 s unless told otherwise. */
    public HealthServiceBuilder heartbeatPeriod(Duration value) {
        heartbeatPeriod = value;
        return this;
    }

    /**
     * How many checks that cost an exec may be starting at once, and a quarter of how many in sessions; unless told otherwise
     * one per core.
     */
    public HealthServiceBuilder maxConcurrent(int value) {
        if (value < 1) {
            throw new IllegalArgumentException("maxConcurrent " + value + ": at least 1 is accepted");
        }
        maxConcurrent = value;
        return this;
    }

    /** One more pattern whose matches in a check's output are secrets. */
    public HealthServiceBuilder secret(Pattern pattern) {
        redaction = redaction.and(pattern);
        return this;
    }

    /**
     * Containers that ask for it by labels that they were given when they were made are watched; not unless told so.
     *
     * @param retention how long such a container may be gone before its workspace ends
     */
    public HealthServiceBuilder labels(Duration retention) {
        labels = retention;
        return this;
    }

    /** Services of workspaces with {@code autoStart} are started with this, where the runtime starts services; not unless told so. */
    public HealthServiceBuilder autoStart(boolean value) {
        autoStart = value;
        return this;
    }

    /** Other clocks than the machine's. */
    public HealthServiceBuilder clock(HealthClock value) {
        clock = value;
        return this;
    }

    /** One scheduler for everything, for tests that own the time. */
    public HealthServiceBuilder scheduler(Scheduler value) {
        scheduler = value;
        return this;
    }

    /** The service, not started yet. */
    public HealthService build() {
        return new HealthService(this);
    }

    ContainerRuntime runtime() {
        return Objects.requireNonNull(runtime, "runtime");
    }

    Journal journal() {
        return journal;
    }

    HealthDefaults defaults() {
        return defaults;
    }

    @Nullable
    Duration labels() {
        return labels;
    }

    boolean autoStart() {
        return autoStart;
    }

    HealthClock clock() {
        return clock;
    }

    Redaction redaction() {
        return redaction;
    }

    Duration heartbeatPeriod() {
        return heartbeatPeriod;
    }

    Map<ProbeKind, Integer> slots() {
        int execs = maxConcurrent == null ? Runtime.getRuntime().availableProcessors() : maxConcurrent;
        return Map.of(ProbeKind.EXEC, execs, ProbeKind.SESSION, SESSIONS_PER_EXEC * execs);
    }

    Scheduler scheduler(String name) {
        return scheduler == null ? Schedulers.newSingle(name, true) : scheduler;
    }

    Scheduler delivery() {
        return scheduler == null ? Schedulers.parallel() : scheduler;
    }

    void dispose(Scheduler... own) {
        if (scheduler == null) {
            for (Scheduler one : own) {
                one.dispose();
            }
        }
    }
}
