package org.klangk.health.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.klangk.health.server.monitor.Event;

/** Heartbeats that stop and come again. */
class SilenceTest {
    private static final String BEAT =
            "{\"type\":\"service_health_heartbeat\",\"period_ms\":50,\"rev\":7,\"epoch\":\"e1\"}";

    private final BlockingQueue<Event> told = new LinkedBlockingQueue<>();
    private final BlockingQueue<String> notices = new LinkedBlockingQueue<>();
    private final Silence silence = new Silence(told::add, notices::add);

    private static <T> T next(BlockingQueue<T> queue) {
        try {
            return Objects.requireNonNull(queue.poll(20, TimeUnit.SECONDS), "nothing came");
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void beats_that_stop_are_told_once_and_again_when_they_stop_again() {
        silence.hear(BEAT);
        Event first = next(told);
        assertThat(first.type()).isEqualTo("monitor_silent");
        assertThat(first.frame().path("rev").asLong()).isEqualTo(7);
        assertThat(next(notices))
                .startsWith("no heartbeat since " + first.frame().path("since").asText());
        silence.hear("{\"type\":\"service_health\",\"message\":\"\\\"service_health_heartbeat\\\"\"}");
        silence.hear(BEAT.replace("7", "8"));
        assertThat(next(notices)).isEqualTo("heartbeats come again");
        Event second = next(told);
        assertThat(second.frame().path("rev").asLong())
                .as("the silence was told once")
                .isEqualTo(8);
        assertThat(second.frame().path("since").asText())
                .isGreaterThan(first.frame().path("since").asText());
        assertThat(next(notices)).startsWith("no heartbeat since ");
        assertThat(notices).isEmpty();
    }
}
