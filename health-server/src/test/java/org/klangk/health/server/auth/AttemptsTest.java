package org.klangk.health.server.auth;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** How many logins may fail. */
class AttemptsTest {
    private final AtomicLong nanos = new AtomicLong();
    private final Attempts attempts = new Attempts(nanos::get);

    private long allowed(int tries, String name, String address) {
        return IntStream.range(0, tries)
                .filter(i -> attempts.begin(name, address))
                .count();
    }

    @Test
    void ten_of_one_name_from_one_address_fail_in_a_minute_and_then_no_more_are_made() {
        assertThat(allowed(10_000, "alice", "10.0.0.1")).isEqualTo(10);
        assertThat(allowed(1, "bob", "10.0.0.1")).as("another name").isEqualTo(1);
        assertThat(allowed(1, "alice", "10.0.0.2")).as("another address").isEqualTo(1);
        nanos.addAndGet(Attempts.WINDOW.toNanos());
        assertThat(allowed(10_000, "alice", "10.0.0.1")).as("a minute later").isEqualTo(10);
    }

    @Test
    void an_address_is_not_let_through_many_names() {
        long all = IntStream.range(0, 1_000)
                .filter(i -> attempts.begin("name" + i, "10.0.0.1"))
                .count();
        assertThat(all).isEqualTo(30);
    }

    @Test
    void a_name_is_not_let_through_many_addresses() {
        long all = IntStream.range(0, 1_000)
                .filter(i -> attempts.begin("alice", "10.0." + i / 250 + "." + i % 250))
                .count();
        assertThat(all).isEqualTo(100);
    }

    @Test
    void a_login_that_succeeds_does_not_count() {
        for (int i = 0; i < 1_000; i++) {
            assertThat(attempts.begin("alice", "10.0.0.1")).isTrue();
            attempts.succeeded("alice", "10.0.0.1");
        }
    }
}
