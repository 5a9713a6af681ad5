package org.klangk.health.stream;

import java.util.ArrayDeque;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.klangk.health.workspace.Audience;
import org.klangk.health.workspace.Workspace;
import org.klangk.health.workspace.WorkspaceId;

/**
 * Whom workspaces that are gone were shown to, for what is still to be told of them; the latest ones. The writer's thread adds, any
 * thread looks.
 */
final class Departed {
    private final int most;
    private final Map<WorkspaceId, Audience> audiences = new ConcurrentHashMap<>();
    private final Queue<WorkspaceId> order = new ArrayDeque<>();

    Departed(int most) {
        this.most = most;
    }

    void add(Workspace workspace) {
        if (audiences.put(workspace.id(), workspace.audience()) == null) {
            order.add(workspace.id());
        }
        if (order.size() > most) {
            audiences.remove(order.remove());
        }
    }

    @Nullable
    Audience find(WorkspaceId id) {
        return audiences.get(id);
    }
}
