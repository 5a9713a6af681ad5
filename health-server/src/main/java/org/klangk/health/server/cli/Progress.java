package org.klangk.health.server.cli;

import java.io.IOException;
import java.util.Timer;
import java.util.TimerTask;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.klangk.health.server.monitor.Cursor;
import org.klangk.health.server.monitor.Place;

/** Keeps how far a monitor has come, where it keeps that. May be used on any thread. */
final class Progress {
    private static final long LATER_MILLIS = 500;

    private final @Nullable Cursor cursor;
    private final Consumer<String> notices;
    private @Nullable Place later;
    private @Nullable Place written;
    private boolean failing;

    /** @param cursor null where nothing is kept */
    Progress(@Nullable Cursor cursor, Consumer<String> notices) {
        this.cursor = cursor;
        this.notices = notices;
        if (cursor != null) {
            new Timer("klangk-cursor", true)
                    .schedule(
                            new TimerTask() {
                                @Override
                                public void run() {
                                    flush();
                                }
                            },
                            LATER_MILLIS,
                            LATER_MILLIS);
        }
    }

    /** Keeps it now. */
    synchronized void reached(Place place) {
        later = null;
        if (cursor == null || place.position() == null || place.equals(written)) {
            return;
        }
        try {
            cursor.write(place);
            written = place;
            failing = false;
        } catch (IOException e) {
            if (!failing) {
                notices.accept("the cursor cannot be written: " + e);
            }
            failing = true;
        }
    }

    /** Keeps it soon. */
    synchronized void reachedLater(Place place) {
        later = place;
    }

    /** Keeps what was to be kept soon. */
    synchronized void flush() {
        if (later != null) {
            reached(later);
        }
    }
}
