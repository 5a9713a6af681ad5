package org.klangk.health.service;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.klangk.health.frame.Frame;
import org.klangk.health.frame.Heartbeat;
import org.klangk.health.frame.Position;
import org.klangk.health.frame.ServiceHealth;
import org.klangk.health.frame.View;
import org.klangk.health.pipeline.Snapshot;
import org.klangk.health.pipeline.Tracked;
import org.klangk.health.probe.CheckAnswer;
import org.klangk.health.state.HealthState;
import org.klangk.health.stream.WatchRequest;
import org.klangk.health.testing.ForwardingJournal;
import org.klangk.health.testing.ScriptedRuntime;
import org.klangk.health.time.HealthClock;
import org.klangk.health.workspace.ProbeKind;
import org.klangk.health.workspace.Workspace;
import org.klangk.health.workspace.WorkspaceDraft;
import org.klangk.health.workspace.WorkspaceId;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;

/** Many workspaces, and more than can be done, by a clock that the test turns. */
class LoadTest extends ServiceFixture {
    private final Map<String, Integer> runs = new HashMap<>();

    @BeforeEach
    void startGateway() {
        runtime.start("gw", now());
    }

    @Override
    WatchRequest watched() {
        return WatchRequest.all().view(View.FULL).withHeartbeats();
    }

    private void define(String name, Duration interval) {
        WorkspaceDraft draft = Workspace.named(name)
                .id(new WorkspaceId(name))
                .container("gw")
                .healthCheck("true")
                .startupGrace(Duration.ZERO)
                .interval(interval)
                .probe(ProbeKind.EXEC);
        health.define(draft).subscribe();
    }

    /** Each check takes this long; those of workspaces called {@code hang…} take their whole timeout. */
    private void checksTake(Duration duration) {
        runtime.answer(request -> {
            runs.merge(request.workspaceId().value(), 1, Integer::sum);
            return request.workspaceId().value().startsWith("hang")
                    ? Mono.delay(request.timeout(), time).thenReturn(ScriptedRuntime.failed())
                    : Mono.delay(duration, time).thenReturn(ScriptedRuntime.passed());
        });
    }

    private long count(Class<? extends Frame> type) {
        return frames.stream().filter(type::isInstance).count();
    }

    @Test
    void a_hundred_checks_of_a_thousand_that_hang_delay_none_of_the_others() {
        checksTake(Duration.ofMillis(20));
        for (int i = 0; i < 1000; i++) {
            define((i % 10 == 0 ? "hang" : "good") + i, Duration.ofSeconds(30));
        }
        run(Duration.ofMinutes(2));
        runs.clear();
        frames.clear();
        run(Duration.ofMinutes(30));
        runs.forEach((name, times) -> {
            if (name.startsWith("good")) {
                assertThat(times).as(name).isBetween(54, 66);
            }
        });
        assertThat(runs).hasSize(1000);
        assertThat(count(Heartbeat.class)).isBetween(359L, 361L);
        assertThat(count(ServiceHealth.class)).isZero();
    }

    @Test
    void five_hundred_that_were_known_before_are_checked_within_an_interval_and_never_many_at_once() {
        checksTake(Duration.ofMillis(40));
        for (int i = 0; i < 500; i++) {
            define("w" + i, Duration.ofSeconds(30));
        }
        run(Duration.ofMinutes(1));
        List<Tracked> known = new ArrayList<>();
        health.list().subscribe(all -> all.forEach(one -> known.add(new Tracked(one.health(), one.told()))));
        run(Duration.ZERO);
        Position position = health.position();
        health.stop().subscribe();
        run(Duration.ofSeconds(1));

        ScriptedRuntime same = new ScriptedRuntime();
        same.takeOver(runtime);
        AtomicInteger atOnce = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        Map<String, Integer> checked = new HashMap<>();
        same.answer(request -> {
            checked.merge(request.workspaceId().value(), 1, Integer::sum);
            most.accumulateAndGet(atOnce.incrementAndGet(), Math::max);
            return Mono.delay(Duration.ofMillis(40), time)
                    .doFinally(end -> atOnce.decrementAndGet())
                    .thenReturn(ScriptedRuntime.passed());
        });
        health = HealthService.builder()
                .runtime(same)
                .journal(ForwardingJournal.remembering(new Snapshot(position, known, Map.of()), now()))
                .scheduler(time)
                .maxConcurrent(2)
                .clock(HealthClock.of(time))
                .build();
        health.start().subscribe();
        run(Duration.ofSeconds(1));
        assertThat(checked.size()).isBetween(1, 50);
        run(Duration.ofSeconds(30));
        assertThat(checked).hasSize(500);
        assertThat(most.get()).isLessThanOrEqualTo(2);
        assertThat(health.position()).isEqualTo(position);
    }

    @Test
    void fifty_checks_at_the_same_instant_wait_for_their_turn_and_waiting_is_no_timeout() {
        checksTake(Duration.ofMillis(100));
        for (int i = 0; i < 50; i++) {
            define("w" + i, Duration.ofHours(1));
        }
        run(Duration.ofSeconds(10));
        List<CheckAnswer> answers = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            health.check(new WorkspaceId("w" + i)).subscribe(answers::add);
        }
        run(Duration.ofSeconds(10));
        assertThat(answers).hasSize(50).allSatisfy(answer -> {
            assertThat(Objects.requireNonNull(answer.result()).outcome().name()).isEqualTo("PASSED");
            assertThat(answer.duration()).isEqualTo(Duration.ofMillis(100));
        });
        // Two at a time, 100 ms each: the last pair waits for 24 others.
        assertThat(answers.stream().map(CheckAnswer::startDelay).max(Duration::compareTo))
                .contains(Duration.ofMillis(2400));
    }

    @Test
    void three_times_the_capacity_makes_results_late_and_never_false() {
        checksTake(Duration.ofMillis(100));
        for (int i = 0; i < 600; i++) {
            define("w" + i, Duration.ofSeconds(10));
        }
        run(Duration.ofMinutes(1));
        List<ServiceHealth> first = frames.stream()
                .filter(ServiceHealth.class::isInstance)
                .map(ServiceHealth.class::cast)
                .toList();
        assertThat(first).hasSize(600).allMatch(ServiceHealth::healthy);
        frames.clear();
        runs.clear();
        run(Duration.ofMinutes(10));
        assertThat(count(ServiceHealth.class)).isZero();
        // Twenty a second is what two slots of 100 ms give: each gets its share.
        assertThat(runs).hasSize(600);
        assertThat(runs.values()).allSatisfy(times -> assertThat(times).isBetween(19, 21));
        // The loop does not keep up, so it does not say that it does.
        assertThat(count(Heartbeat.class)).isZero();
        assertThat(health.alive()).isFalse();
        List<WorkspaceStatus> all = new ArrayList<>();
        health.list().subscribe(all::addAll);
        run(Duration.ZERO);
        assertThat(all)
                .allMatch(
                        status -> Boolean.TRUE.equals(status.health().verdict().healthy()))
                .allMatch(status -> status.state().state() == HealthState.HEALTHY
                        || status.state().state() == HealthState.STALE);
    }

    @Test
    void an_hour_of_passing_checks_writes_no_line_and_no_frame() {
        checksTake(Duration.ofMillis(5));
        define("w", Duration.ofSeconds(1));
        run(Duration.ofSeconds(10));
        long rev = health.position().rev();
        ListAppender<ILoggingEvent> lines = new ListAppender<>();
        Logger root = (Logger) LoggerFactory.getLogger(Logger.ROOT_LOGGER_NAME);
        lines.start();
        root.addAppender(lines);
        Logger ours = (Logger) LoggerFactory.getLogger("org.klangk");
        Level level = ours.getLevel();
        ours.setLevel(Level.INFO);
        try {
            run(Duration.ofHours(1));
        } finally {
            root.detachAppender(lines);
            ours.setLevel(level);
        }
        assertThat(runs.get("w")).isGreaterThan(3500);
        assertThat(lines.list).isEmpty();
        assertThat(health.position().rev()).isEqualTo(rev);
    }

    @Test
    void checks_are_spread_over_their_interval() {
        checksTake(Duration.ofMillis(1));
        Map<Long, AtomicInteger> perSecond = new HashMap<>();
        for (int i = 0; i < 500; i++) {
            define("w" + i, Duration.ofSeconds(30));
        }
        run(Duration.ofMinutes(2));
        runtime.answer(request -> {
            perSecond
                    .computeIfAbsent(now().getEpochSecond(), second -> new AtomicInteger())
                    .incrementAndGet();
            return Mono.just(ScriptedRuntime.passed());
        });
        run(Duration.ofMinutes(5));
        // 500 in 30 seconds are 17 in each; chance makes some seconds fuller than others.
        assertThat(perSecond.values())
                .allSatisfy(count -> assertThat(count.get()).isBetween(4, 36));
    }
}
