package org.klangk.health.stream;

import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.klangk.health.frame.Position;
import org.klangk.health.frame.View;
import org.klangk.health.workspace.WorkspaceId;

/**
 * What a subscriber wants to see.
 *
 * @param view which types of frames
 * @param after where to go on, null to begin with a snapshot
 * @param visible the workspaces it may and wants to see; asked on the subscriber's delivery thread
 * @param heartbeats whether it gets heartbeats
 */
public record WatchRequest(View view, @Nullable Position after, Predicate<WorkspaceId> visible, boolean heartbeats) {

    /** Everything: a snapshot, then every change. */
    public static WatchRequest all() {
        return new WatchRequest(View.FULL, null, id -> true, false);
    }

    /** Every change after {@code position}; a {@code Gone} frame and a snapshot where that cannot be had. */
    public static WatchRequest after(Position position) {
        return new WatchRequest(View.FULL, position, id -> true, false);
    }

    /** The frames of {@code newView}; a resumed request is always {@link View#FULL}. */
    public WatchRequest view(View newView) {
        return new WatchRequest(after == null ? newView : View.FULL, after, visible, heartbeats);
    }

    /** Only workspaces that {@code predicate} accepts too. */
    public WatchRequest only(Predicate<WorkspaceId> predicate) {
        return new WatchRequest(view, after, visible.and(predicate), heartbeats);
    }

    /** Heartbeats as well. */
    public WatchRequest withHeartbeats() {
        return new WatchRequest(view, after, visible, true);
    }

    WatchRequest fromSnapshot() {
        return new WatchRequest(view, null, visible, heartbeats);
    }
}
