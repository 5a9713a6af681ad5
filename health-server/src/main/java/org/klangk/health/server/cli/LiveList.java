package org.klangk.health.server.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.Timer;
import java.util.TimerTask;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.klangk.health.random.Unguessable;
import org.klangk.health.server.monitor.Backoff;

/**
 * A list of workspaces that is kept true: on a terminal the table is drawn anew, elsewhere each workspace that changed is printed.
 * However many frames come, it asks the server a few times a second at most.
 */
final class LiveList {
    private static final long LOOK_MILLIS = 250;
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(60);
    private static final String CLEAR = "\033[H\033[2J\033[3J";

    private final Connection server;
    private final Supplier<JsonNode> list;
    private final Consumer<JsonNode> screen;
    private final Output output;
    private final AtomicBoolean changed = new AtomicBoolean(true);
    private final Map<String, JsonNode> shown = new HashMap<>();

    /** @param screen shows all of them to a person */
    LiveList(Connection server, Supplier<JsonNode> list, Consumer<JsonNode> screen, Output output) {
        this.server = server;
        this.list = list;
        this.screen = screen;
        this.output = output;
    }

    /** Shows it until the stream ends. */
    int run() {
        Timer painter = new Timer("painter", true);
        painter.schedule(
                new TimerTask() {
                    @Override
                    public void run() {
                        look();
                    }
                },
                0,
                LOOK_MILLIS);
        int exit = new Link(
                        server,
                        new Link.Patience(null, true, LONGEST_WAIT),
                        new Backoff(LONGEST_WAIT, Unguessable::below),
                        System.err::println)
                .run(() -> "view=full", null, frame -> changed.set(true));
        painter.cancel();
        return exit;
    }

    private void look() {
        if (!changed.getAndSet(false)) {
            return;
        }
        try {
            show(list.get());
        } catch (CliException e) {
            // The stream ends for the same reason, and says so.
            changed.set(true);
        }
    }

    private void show(JsonNode all) {
        if (output.form() == Output.Form.wide) {
            System.out.print(CLEAR);
            screen.accept(all);
            return;
        }
        Set<String> there = new HashSet<>();
        for (JsonNode one : all) {
            String id = one.path("id").asText();
            there.add(id);
            if (!one.equals(shown.put(id, one))) {
                output.workspace(one, "");
            }
        }
        shown.keySet().retainAll(there);
    }
}
