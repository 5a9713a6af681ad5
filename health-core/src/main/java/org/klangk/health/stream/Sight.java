package org.klangk.health.stream;

import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.klangk.health.frame.LoggedFrame;
import org.klangk.health.frame.View;
import org.klangk.health.frame.WorkspaceRemovedFrame;
import org.klangk.health.frame.WorkspacesChanged;
import org.klangk.health.pipeline.Snapshot;
import org.klangk.health.workspace.Audience;
import org.klangk.health.workspace.Viewer;
import org.klangk.health.workspace.WorkspaceId;

/**
 * What one subscriber gets to see of the log. Frames about a workspace are shown to those who may see it now, its changes of
 * audience and its removal to those whom they concern.
 */
final class Sight {
    /** What the viewer may see changed where they cannot be told frame by frame. */
    static final class Changed extends RuntimeException {
        private static final long serialVersionUID = 1;

        Changed() {
            super("rights changed", null, false, false);
        }
    }

    private final WatchRequest request;
    private final Viewer viewer;
    private final Function<WorkspaceId, @Nullable Audience> now;

    /** @param now whom a workspace is shown to now, or was shown to at last where it is gone */
    Sight(WatchRequest request, Function<WorkspaceId, @Nullable Audience> now) {
        this.request = request;
        this.viewer = request.viewer();
        this.now = now;
    }

    /**
     * The frame as it is shown, null where it is hidden.
     *
     * @param resumed whether it happened while the viewer was away
     * @throws Changed when a snapshot must follow instead
     */
    @Nullable
    LoggedFrame show(LoggedFrame frame, boolean resumed) {
        WorkspaceId id = frame.workspaceId();
        if (id == null) {
            return inView(frame);
        }
        if (!request.visible().test(id)) {
            return null;
        }
        if (viewer.seesEverything()) {
            return inView(frame);
        }
        if (frame instanceof WorkspacesChanged changed) {
            return changed(changed, resumed);
        }
        Audience audience = frame instanceof WorkspaceRemovedFrame removed ? removed.was() : now.apply(id);
        return viewer.sees(id, audience) ? inView(frame) : null;
    }

    private @Nullable LoggedFrame changed(WorkspacesChanged changed, boolean resumed) {
        WorkspaceId id = changed.workspaceId();
        boolean before = viewer.sees(id, changed.was());
        boolean after = viewer.sees(id, changed.is());
        if (!changed.changesAudience() || before == after) {
            return before || after ? inView(changed) : null;
        }
        if (resumed || after) {
            throw new Changed();
        }
        return request.view() == View.FULL
                ? new WorkspaceRemovedFrame(id, "access", changed.was(), changed.position())
                : changed;
    }

    private @Nullable LoggedFrame inView(LoggedFrame frame) {
        return frame.type().in(request.view()) ? frame : null;
    }

    /** Whether something that they see now may have been hidden from them after {@code rev}. */
    boolean grewSince(long rev, Snapshot known) {
        return !viewer.seesEverything()
                && known.workspaces().stream()
                        .anyMatch(tracked -> tracked.told().audienceRev() > rev
                                && viewer.sees(tracked.health().workspace()));
    }
}
