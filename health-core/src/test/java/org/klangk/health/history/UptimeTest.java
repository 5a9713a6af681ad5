package org.klangk.health.history;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.klangk.health.event.StopCause;
import org.klangk.health.state.HealthState;
import org.klangk.health.state.StateSince;
import org.klangk.health.testing.Story;

/** A window of 1,000 seconds. */
class UptimeTest {
    private static final Instant FROM = Story.T0;
    private static final Instant TO = at(1_000);
    private static final List<AliveSpan> ALWAYS = List.of(new AliveSpan(at(-5_000), TO));

    private static Instant at(long second) {
        return FROM.plusSeconds(second);
    }

    private static Transition turn(
            long second, @Nullable HealthState from, HealthState to, StopCause.@Nullable Kind stop) {
        return new Transition(1, 1, at(second), Story.ID, from, new StateSince(to, null, at(second)), null, stop);
    }

    private static Transition turn(long second, @Nullable HealthState from, HealthState to) {
        return turn(second, from, to, null);
    }

    /** Up, down, could not tell, off, in seconds. */
    private static List<Long> sum(List<AliveSpan> alive, Transition... turns) {
        StateSince now = new StateSince(HealthState.HEALTHY, null, at(-9_000));
        Uptime sum = Uptime.between(FROM, TO, now, Arrays.asList(turns), alive);
        return List.of(
                sum.up().toSeconds(),
                sum.down().toSeconds(),
                sum.couldNotTell().toSeconds(),
                sum.off().toSeconds());
    }

    @Test
    void each_state_counts_where_it_belongs() {
        assertThat(sum(
                        ALWAYS,
                        turn(-50, HealthState.UNKNOWN, HealthState.HEALTHY),
                        turn(100, HealthState.HEALTHY, HealthState.UNHEALTHY),
                        turn(300, HealthState.UNHEALTHY, HealthState.STALE),
                        turn(310, HealthState.STALE, HealthState.UNHEALTHY),
                        turn(400, HealthState.UNHEALTHY, HealthState.STOPPED, StopCause.Kind.EXITED),
                        turn(450, HealthState.STOPPED, HealthState.STARTING),
                        turn(460, HealthState.STARTING, HealthState.HEALTHY),
                        turn(800, HealthState.HEALTHY, HealthState.NOT_CHECKED),
                        turn(900, HealthState.NOT_CHECKED, HealthState.HEALTHY),
                        turn(950, HealthState.HEALTHY, HealthState.STOPPED, StopCause.Kind.REQUESTED)))
                .containsExactly(100L + 340 + 50, 200L + 90 + 50, 10L + 10, 100L + 50);
    }

    @Test
    void before_the_first_known_change_it_was_what_that_changed() {
        assertThat(sum(ALWAYS, turn(400, HealthState.HEALTHY, HealthState.UNHEALTHY)))
                .containsExactly(400L, 600L, 0L, 0L);
        assertThat(sum(ALWAYS, turn(400, null, HealthState.STOPPED))).containsExactly(0L, 0L, 0L, 1_000L);
        assertThat(sum(ALWAYS)).containsExactly(1_000L, 0L, 0L, 0L);
    }

    @Test
    void nobody_can_tell_of_a_time_in_which_nobody_was_there() {
        List<AliveSpan> spans = List.of(new AliveSpan(at(-500), at(200)), new AliveSpan(at(300), at(990)));
        assertThat(sum(spans, turn(-50, HealthState.UNKNOWN, HealthState.HEALTHY)))
                .containsExactly(900L, 0L, 100L, 0L);
        assertThat(sum(spans, turn(250, HealthState.HEALTHY, HealthState.STOPPED, StopCause.Kind.OOM)))
                .containsExactly(200L, 700L, 100L, 0L);
        assertThat(sum(List.of(), turn(-50, HealthState.UNKNOWN, HealthState.HEALTHY)))
                .containsExactly(0L, 0L, 1_000L, 0L);
        assertThat(sum(List.of(), turn(-50, HealthState.HEALTHY, HealthState.NOT_CHECKED)))
                .containsExactly(0L, 0L, 0L, 1_000L);
    }

    @Test
    void the_parts_add_up_whatever_happened() {
        Random random = new Random(7);
        HealthState[] states = HealthState.values();
        for (int round = 0; round < 2_000; round++) {
            List<Transition> turns = new ArrayList<>();
            List<AliveSpan> spans = new ArrayList<>();
            long second = -200;
            HealthState state = HealthState.STOPPED;
            for (int i = random.nextInt(8); i > 0; i--) {
                second += random.nextInt(300);
                HealthState next = states[random.nextInt(states.length)];
                turns.add(turn(second, state, next));
                state = next;
            }
            second = -300;
            for (int i = random.nextInt(5); i > 0; i--) {
                long begin = second + random.nextInt(300);
                second = begin + random.nextInt(400);
                spans.add(new AliveSpan(at(begin), at(second)));
            }
            Uptime sum = Uptime.between(FROM, TO, new StateSince(state, null, FROM), turns, spans);
            List<Duration> parts = List.of(sum.up(), sum.down(), sum.couldNotTell(), sum.off());
            assertThat(parts).allSatisfy(part -> assertThat(part).isGreaterThanOrEqualTo(Duration.ZERO));
            assertThat(parts.stream().reduce(Duration.ZERO, Duration::plus)).isEqualTo(Duration.ofSeconds(1_000));
        }
    }
}
