package org.klangk.health.service;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.klangk.health.event.CheckResult;
import org.klangk.health.event.ContainerRun;
import org.klangk.health.policy.Redaction;
import org.klangk.health.probe.CheckAnswer;
import org.klangk.health.probe.NotCheckableException;
import org.klangk.health.probe.Probe;
import org.klangk.health.probe.ProbeRequest;
import org.klangk.health.probe.ProbeResult;
import org.klangk.health.state.WorkspaceHealth;
import org.klangk.health.time.HealthClock;
import org.klangk.health.workspace.HealthCheck;
import org.klangk.health.workspace.InvalidWorkspaceException;
import org.klangk.health.workspace.Workspace;
import org.klangk.health.writer.OverloadedException;
import reactor.core.publisher.Mono;

/** Runs a command as a workspace's check would be run, once, beside its checks, and tells what would have been kept of it. */
final class DryRun {
    private static final int AT_ONCE = 4;

    private final Probe probe;
    private final Redaction redaction;
    private final HealthClock clock;
    private final AtomicInteger running = new AtomicInteger();

    /** @param probe one that leaves nothing behind */
    DryRun(Probe probe, Redaction redaction, HealthClock clock) {
        this.probe = probe;
        this.redaction = redaction;
        this.clock = clock;
    }

    /** @param command null for the workspace's own */
    Mono<CheckAnswer> run(WorkspaceHealth health, @Nullable String command) {
        return Mono.defer(() -> {
            ProbeRequest request = request(health, command);
            if (running.incrementAndGet() > AT_ONCE) {
                running.decrementAndGet();
                return Mono.error(new OverloadedException(AT_ONCE + " dry runs"));
            }
            long started = clock.nanos().getAsLong();
            return probe.run(request)
                    .map(result -> answer(
                            result,
                            request.timeout(),
                            Duration.ofNanos(clock.nanos().getAsLong() - started)))
                    .doFinally(end -> running.decrementAndGet());
        });
    }

    private static ProbeRequest request(WorkspaceHealth health, @Nullable String command) {
        Workspace workspace = health.workspace();
        ContainerRun run = health.container().run();
        HealthCheck check = workspace.healthCheck();
        if (command != null) {
            try {
                check = new HealthCheck(command);
            } catch (IllegalArgumentException e) {
                throw new InvalidWorkspaceException("command", String.valueOf(e.getMessage()));
            }
        }
        if (check == null) {
            throw new NotCheckableException("no health check; a command is accepted");
        }
        if (run == null || health.container().paused()) {
            throw new NotCheckableException("no container runs");
        }
        return ProbeRequest.of(workspace, check, run, health.container().incarnation());
    }

    private CheckAnswer answer(ProbeResult result, Duration timeout, Duration took) {
        CheckResult checked = null;
        String none = null;
        int survivors = 0;
        if (result instanceof ProbeResult.Completed completed) {
            checked = completed.kept(timeout, redaction);
            survivors = completed.survivors();
        } else {
            none = ((ProbeResult.NoResult) result).reason();
        }
        return new CheckAnswer(checked, none, false, clock.wall().get(), took, Duration.ZERO, survivors);
    }
}
