package org.klangk.health.server.cli;

import java.time.Clock;
import java.time.Instant;
import java.util.Timer;
import java.util.TimerTask;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.klangk.health.server.monitor.Event;
import org.klangk.health.transport.wire.WireText;

/** Notices when heartbeats stop, whatever it is that stops them. May be used on any thread. */
final class Silence {
    private static final long LOOK_MILLIS = 500;
    private static final int BEATS_MISSED = 3;
    private static final long USUAL_PERIOD_MILLIS = 5_000;

    private final Clock clock = Clock.systemUTC();
    private final Consumer<Event> told;
    private final Consumer<String> notices;
    private long periodMillis = USUAL_PERIOD_MILLIS;
    private long lastNanos = System.nanoTime();
    private Instant lastAt = clock.instant();
    private String epoch = "";
    private long rev;
    private boolean silent;

    /**
     * Begins to listen.
     *
     * @param told gets one frame of type {@code monitor_silent} whenever the beats stop
     */
    Silence(Consumer<Event> told, Consumer<String> notices) {
        this.told = told;
        this.notices = notices;
        new Timer("klangk-silence", true)
                .schedule(
                        new TimerTask() {
                            @Override
                            public void run() {
                                look();
                            }
                        },
                        LOOK_MILLIS,
                        LOOK_MILLIS);
    }

    /** Listens to a frame. */
    void hear(String text) {
        if (!text.contains("\"service_health_heartbeat\"")) {
            return;
        }
        Event beat = Event.of(text);
        if (!beat.type().equals("service_health_heartbeat")) {
            return;
        }
        boolean again;
        synchronized (this) {
            periodMillis = beat.frame().path("period_ms").asLong(USUAL_PERIOD_MILLIS);
            lastNanos = System.nanoTime();
            lastAt = clock.instant();
            epoch = beat.frame().path("epoch").asText();
            rev = beat.frame().path("rev").asLong();
            again = silent;
            silent = false;
        }
        if (again) {
            notices.accept("heartbeats come again");
        }
    }

    private void look() {
        Event event;
        synchronized (this) {
            long quiet = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - lastNanos);
            if (silent || quiet <= BEATS_MISSED * periodMillis) {
                return;
            }
            silent = true;
            event = Event.of(Connection.JSON
                    .createObjectNode()
                    .put("type", "monitor_silent")
                    .put("since", WireText.time(lastAt))
                    .put("rev", rev)
                    .put("epoch", epoch)
                    .toString());
        }
        notices.accept("no heartbeat since " + event.frame().path("since").asText()
                + ": the monitor, or the way to it, does not work");
        told.accept(event);
    }
}
