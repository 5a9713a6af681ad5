package org.klangk.health.server.bench;

import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.klangk.health.service.HealthService;
import org.klangk.health.testing.ScriptedRuntime;
import org.klangk.health.workspace.Workspace;
import org.klangk.health.workspace.WorkspaceId;
import reactor.core.publisher.Flux;

/** A service whose workspaces change when they are told to: each change is two frames in the full view. */
final class Changes {
    static final int FRAMES_PER_CHANGE = 2;
    private static final int WORKSPACES = 200;
    private static final int AT_ONCE = 64;

    private final ScriptedRuntime runtime = new ScriptedRuntime();
    private final HealthService health =
            HealthService.builder().runtime(runtime).build();
    private final List<WorkspaceId> ids = IntStream.range(0, WORKSPACES)
            .mapToObj(i -> new WorkspaceId("bench-" + i))
            .toList();
    private boolean enabled = true;

    HealthService start() {
        health.start().block();
        runtime.start("gw", Instant.now());
        Flux.fromIterable(ids)
                .concatMap(id -> health.define(
                        Workspace.named(id.value()).id(id).container("gw").healthCheck("true")))
                .blockLast();
        return health;
    }

    /** Makes this many changes, a multiple of the number of workspaces, as fast as it goes. */
    void make(int count) {
        for (int round = 0; round < count / WORKSPACES; round++) {
            enabled = !enabled;
            boolean now = enabled;
            Flux.fromIterable(ids)
                    .flatMap(id -> health.change(id, draft -> draft.enabled(now)), AT_ONCE)
                    .blockLast();
        }
    }
}
