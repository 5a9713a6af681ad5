package org.klangk.health.transport.podman;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.klangk.health.probe.ProbeRequest;
import org.klangk.health.workspace.WorkspaceId;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Which workspaces are served by execs because no session can be had in them. Holds for one incarnation and is tried again now
 * and then. May be used on any thread.
 */
final class StandIns {
    private static final Logger log = LoggerFactory.getLogger(StandIns.class);

    private record Losses(long incarnation, int count, long until) {}

    private final Map<WorkspaceId, Losses> losses = new ConcurrentHashMap<>();
    private final SessionLimits limits;
    private final LongSupplier nanos;

    StandIns(SessionLimits limits, LongSupplier nanos) {
        this.limits = limits;
        this.nanos = nanos;
    }

    /** Whether the workspace is served by execs for now. */
    boolean serve(WorkspaceId id) {
        Losses known = losses.get(id);
        return known != null && known.count() >= limits.attempts();
    }

    /** Whether this run is not to try a session. */
    boolean serve(ProbeRequest request) {
        Losses known = losses.get(request.workspaceId());
        return known != null
                && known.incarnation() == request.incarnation()
                && known.count() >= limits.attempts()
                && nanos.getAsLong() - known.until() < 0;
    }

    /** A session was lost, or could not be had, and an exec did what it should have done. */
    void lost(ProbeRequest request) {
        WorkspaceId id = request.workspaceId();
        long until =
                nanos.getAsLong() + SessionLimits.spread(limits.retry(), id).toNanos();
        Losses now = losses.merge(
                id,
                new Losses(request.incarnation(), 1, until),
                (known, one) -> known.incarnation() == one.incarnation()
                        ? new Losses(one.incarnation(), known.count() + 1, until)
                        : one);
        if (now.count() == limits.attempts()) {
            log.info("workspace {}: its sessions do not last, each check is an exec of its own for now", id);
        }
    }

    /** A session did what it should. */
    void served(WorkspaceId id) {
        Losses known = losses.remove(id);
        if (known != null && known.count() >= limits.attempts()) {
            log.info("workspace {}: checks run in a session again", id);
        }
    }

    /** What is known of this workspace is of the past. */
    void forget(WorkspaceId id) {
        losses.remove(id);
    }
}
