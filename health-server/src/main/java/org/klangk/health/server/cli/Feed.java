package org.klangk.health.server.cli;

import java.util.Map;
import java.util.Timer;
import java.util.TimerTask;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.klangk.health.server.monitor.Event;
import org.klangk.health.server.monitor.Intake;
import org.klangk.health.server.monitor.Outbox;
import org.klangk.health.server.monitor.Place;

/**
 * Brings frames from the link to where they go: to the screen, or to the command. Where more come than may wait for the command,
 * they are left with the server, and asked for again when there is room.
 */
final class Feed {
    private static final long LOOK_MILLIS = 100;

    private final Supplier<Intake> making;
    private final @Nullable Outbox outbox;
    private final Progress progress;
    private final Link link;
    private final Predicate<Event> screen;
    private final Timer timer = new Timer("klangk-feed", true);
    private @Nullable Intake intake;
    private boolean leftOut;

    /**
     * A feed.
     *
     * @param intake made when the first connection is tried
     * @param outbox null where frames are shown
     * @param screen shows a frame; false when nobody looks any more
     */
    Feed(Supplier<Intake> intake, @Nullable Outbox outbox, Progress progress, Link link, Predicate<Event> screen) {
        this.making = intake;
        this.outbox = outbox;
        this.progress = progress;
        this.link = link;
        this.screen = screen;
    }

    /** What the next connection asks for. */
    synchronized String query() {
        if (intake == null) {
            intake = making.get();
        }
        leftOut = false;
        return intake.position() == null ? "view=full" : "after=" + intake.position();
    }

    /** Takes a frame. */
    synchronized void take(String text) {
        Intake into = intake;
        if (into == null || leftOut) {
            return;
        }
        if (outbox != null && outbox.isFull()) {
            leftOut = true;
            timer.schedule(new WhenThereIsRoom(outbox), LOOK_MILLIS, LOOK_MILLIS);
            return;
        }
        Event event = Event.of(text);
        String before = into.position();
        Intake.Verdict verdict = into.take(event);
        if (outbox != null) {
            if (verdict.runs()) {
                outbox.add(event, verdict.missed(), event.isChange() ? before : null);
            }
            outbox.advance(into.position());
        } else {
            if (verdict.shown()) {
                show(event);
            }
            progress.reachedLater(new Place(into.position(), Map.of()));
        }
    }

    private void show(Event event) {
        if (!screen.test(event)) {
            link.end();
        }
    }

    /** Something is to be shown, or run for, that did not come over the link. */
    synchronized void silent(Event event) {
        if (outbox == null) {
            show(event);
        } else if (!outbox.isFull()) {
            outbox.add(event, false, intake == null ? null : intake.position());
        }
    }

    private final class WhenThereIsRoom extends TimerTask {
        private final Outbox box;

        WhenThereIsRoom(Outbox box) {
            this.box = box;
        }

        @Override
        public void run() {
            if (box.hasRoom()) {
                cancel();
                link.reopen("frames wait at the server");
            }
        }
    }
}
