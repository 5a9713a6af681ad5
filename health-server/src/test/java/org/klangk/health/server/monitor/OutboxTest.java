package org.klangk.health.server.monitor;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Events that wait for what is run for them. */
class OutboxTest {
    private static final long LONG = Duration.ofSeconds(20).toSeconds();

    /** Each run waits here until the test lets it go. */
    private final SynchronousQueue<String> running = new SynchronousQueue<>();

    private final BlockingQueue<Place> places = new LinkedBlockingQueue<>();
    private final Outbox outbox = new Outbox((event, missed) -> running.put(event.id()), 2, 5, places::add);

    @AfterEach
    void close() {
        outbox.close(0);
    }

    private static Event event(String workspace, long rev) {
        return Event.of("{\"type\":\"service_health\",\"workspace_id\":\"" + workspace
                + "\",\"kind\":\"change\",\"rev\":" + rev + ",\"epoch\":\"E\"}");
    }

    private void add(String workspace, long rev) {
        outbox.add(event(workspace, rev), false, "E." + (rev - 1));
        outbox.advance("E." + rev);
    }

    /** Lets one go that is running. */
    private String next() throws InterruptedException {
        String id = running.poll(LONG, TimeUnit.SECONDS);
        assertThat(id).as("something runs").isNotNull();
        return String.valueOf(id);
    }

    private Place place() throws InterruptedException {
        Place place = places.poll(LONG, TimeUnit.SECONDS);
        assertThat(place).isNotNull();
        return place == null ? Place.BEGINNING : place;
    }

    @Test
    void one_workspace_goes_in_order_and_the_place_is_behind_whatever_is_unfinished() throws InterruptedException {
        add("w1", 11);
        add("w1", 12);
        assertThat(next()).isEqualTo("E.11");
        assertThat(place()).isEqualTo(new Place("E.11", Map.of()));
        assertThat(next()).isEqualTo("E.12");
        assertThat(place()).isEqualTo(new Place("E.12", Map.of()));
        outbox.awaitEmpty();
        outbox.advance("E.15");
        assertThat(place()).as("what needs no run moves it too").isEqualTo(new Place("E.15", Map.of()));
    }

    @Test
    void one_that_hangs_holds_back_the_place_and_not_the_others() throws InterruptedException {
        BlockingQueue<String> hanging = new LinkedBlockingQueue<>();
        Queue<String> ran = new ConcurrentLinkedQueue<>();
        Outbox both = new Outbox(
                (event, missed) -> {
                    if (event.workspace().equals("slow")) {
                        hanging.poll(LONG, TimeUnit.SECONDS);
                    }
                    ran.add(event.id());
                },
                2,
                100,
                places::add);
        both.add(event("slow", 11), false, "E.10");
        for (int rev = 12; rev < 15; rev++) {
            both.add(event("w1", rev), false, "E." + (rev - 1));
            both.advance("E." + rev);
        }
        assertThat(List.of(place(), place(), place()))
                .containsExactly(
                        new Place("E.10", Map.of("w1", 12L)),
                        new Place("E.10", Map.of("w1", 13L)),
                        new Place("E.10", Map.of("w1", 14L)));
        hanging.add("go");
        assertThat(place()).isEqualTo(new Place("E.14", Map.of()));
        assertThat(ran).containsExactly("E.12", "E.13", "E.14", "E.11");
        both.close(1_000);
    }

    @Test
    void no_more_wait_than_may() {
        IntStream.range(0, 5).forEach(i -> add("w" + i, 11 + i));
        assertThat(outbox.isFull()).isTrue();
        assertThat(outbox.hasRoom()).isFalse();
    }

    @Test
    void what_a_snapshot_told_keeps_the_place_unknown_until_it_is_finished() throws InterruptedException {
        outbox.add(event("w1", 3), false, null);
        outbox.advance("E.9");
        assertThat(places).isEmpty();
        next();
        assertThat(place()).isEqualTo(new Place("E.9", Map.of()));
    }

    @Test
    void what_is_given_up_stays_unfinished() {
        add("w1", 11);
        outbox.close(0);
        assertThat(outbox.isEmpty()).isFalse();
        assertThat(places).isEmpty();
    }
}
