package org.klangk.health.server.monitor;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** How long to wait. */
class BackoffTest {
    private static LongStream waits(Backoff backoff, int count) {
        return IntStream.range(0, count).mapToLong(i -> backoff.failed().toMillis());
    }

    @Test
    void it_doubles_up_to_a_limit_and_any_part_of_that_may_be_the_wait() {
        assertThat(waits(new Backoff(Duration.ofSeconds(60), bound -> bound - 1), 9))
                .containsExactly(1_000L, 2_000L, 4_000L, 8_000L, 16_000L, 32_000L, 60_000L, 60_000L, 60_000L);
        assertThat(waits(new Backoff(Duration.ofSeconds(60), bound -> 0), 100)).containsOnly(0L);
        assertThat(waits(new Backoff(Duration.ofMillis(200), bound -> bound - 1), 3))
                .containsOnly(200L);
    }

    @Test
    void the_count_begins_anew_after_a_good_connection() {
        Backoff backoff = new Backoff(Duration.ofSeconds(60), bound -> bound - 1);
        for (int hour = 0; hour < 1_000; hour++) {
            assertThat(backoff.failed()).isEqualTo(Duration.ofSeconds(1));
            assertThat(backoff.failures()).isEqualTo(1);
            backoff.succeeded();
        }
    }
}
