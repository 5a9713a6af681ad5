package org.klangk.health.frame;

import java.util.Locale;

/** The types of frames; their wire names are these in lower case. */
public enum FrameType {
    SERVICE_HEALTH(View.KLANGK),
    CONTAINER_STATUS(View.KLANGK),
    WORKSPACES_CHANGED(View.KLANGK),
    SERVICE_HEALTH_HEARTBEAT(View.KLANGK),
    WORKSPACE_STATE(View.FULL),
    WORKSPACE_REMOVED(View.FULL),
    MONITOR_HEALTH(View.FULL),
    SNAPSHOT_END(View.FULL),
    BOOKMARK(View.FULL),
    GONE(View.FULL);

    private final View view;
    private final String wireName = name().toLowerCase(Locale.ROOT);

    FrameType(View view) {
        this.view = view;
    }

    /** Whether a subscriber of {@code wanted} gets it. */
    public boolean in(View wanted) {
        return wanted == View.FULL || view == View.KLANGK;
    }

    /** Its name on the wire. */
    public String wireName() {
        return wireName;
    }
}
