package org.klangk.health.stream;

import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.klangk.health.frame.Position;
import org.klangk.health.frame.View;
import org.klangk.health.workspace.Viewer;
import org.klangk.health.workspace.WorkspaceId;

/**
 * What a subscriber wants to see.
 *
 * @param view which types of frames
 * @param after where to go on, null to begin with a snapshot
 * @param visible the workspaces it wants to see; asked on the subscriber's delivery thread
 * @param heartbeats whether it gets heartbeats
 * @param viewer who watches: of what they may not see they get nothing
 * @param rightsSince where the viewer's rights last changed for another reason than an edit of a workspace, null when they never
 *     did: what came before it cannot be resumed
 */
public record WatchRequest(
        View view,
        @Nullable Position after,
        Predicate<WorkspaceId> visible,
        boolean heartbeats,
        Viewer viewer,
        @Nullable Position rightsSince) {

    /** Everything: a snapshot, then every change. */
    public static WatchRequest all() {
        return new WatchRequest(View.FULL, null, id -> true, false, Viewer.EVERYTHING, null);
    }

    /** Every change after {@code position}; a {@code Gone} frame and a snapshot where that cannot be had. */
    public static WatchRequest after(Position position) {
        return new WatchRequest(View.FULL, position, id -> true, false, Viewer.EVERYTHING, null);
    }

    /** The frames of {@code newView}; a resumed request is always {@link View#FULL}. */
    public WatchRequest view(View newView) {
        return new WatchRequest(after == null ? newView : View.FULL, after, visible, heartbeats, viewer, rightsSince);
    }

    /** Only workspaces that {@code predicate} accepts too. */
    public WatchRequest only(Predicate<WorkspaceId> predicate) {
        return new WatchRequest(view, after, visible.and(predicate), heartbeats, viewer, rightsSince);
    }

    /** Heartbeats as well. */
    public WatchRequest withHeartbeats() {
        return new WatchRequest(view, after, visible, true, viewer, rightsSince);
    }

    /** Only what {@code who} may see, whose rights last changed at {@code since}. */
    public WatchRequest by(Viewer who, @Nullable Position since) {
        return new WatchRequest(view, after, visible, heartbeats, who, since);
    }

    WatchRequest fromSnapshot() {
        return new WatchRequest(view, null, visible, heartbeats, viewer, rightsSince);
    }
}
