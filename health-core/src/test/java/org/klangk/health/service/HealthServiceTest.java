package org.klangk.health.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.klangk.health.event.StopCause;
import org.klangk.health.frame.Bookmark;
import org.klangk.health.frame.Heartbeat;
import org.klangk.health.frame.ServiceHealth;
import org.klangk.health.frame.View;
import org.klangk.health.probe.CheckAnswer;
import org.klangk.health.probe.NotCheckableException;
import org.klangk.health.probe.ProbeRequest;
import org.klangk.health.probe.ProbeResult;
import org.klangk.health.runtime.RuntimeEvent;
import org.klangk.health.state.HealthState;
import org.klangk.health.stream.WatchRequest;
import org.klangk.health.testing.ScriptedRuntime;
import org.klangk.health.workspace.InvalidWorkspaceException;
import org.klangk.health.workspace.ProbeKind;
import org.klangk.health.workspace.Workspace;
import org.klangk.health.workspace.WorkspaceDraft;
import org.klangk.health.workspace.WorkspaceId;
import reactor.core.publisher.Mono;

/** The whole service by a clock that the test turns. */
class HealthServiceTest extends ServiceFixture {
    private WorkspaceDraft gateway() {
        return Workspace.named("gateway").id(ID).container("gw").healthCheck("true");
    }

    private List<String> told() {
        return frames.stream()
                .filter(ServiceHealth.class::isInstance)
                .map(ServiceHealth.class::cast)
                .map(frame ->
                        frame.seq() + (frame.running() ? frame.healthy() ? " healthy" : " unhealthy" : " stopped"))
                .toList();
    }

    private HealthState state() {
        return get(health.current(ID)).state().state();
    }

    @Test
    void a_service_that_is_ready_a_second_after_its_start_is_healthy_two_seconds_later() {
        Instant ready = now().plusSeconds(1);
        runtime.answer(
                request -> Mono.just(now().isBefore(ready) ? ScriptedRuntime.failed() : ScriptedRuntime.passed()));
        get(health.define(gateway()));
        runtime.start("gw", now());
        runSeconds(0.5);
        assertThat(state()).isEqualTo(HealthState.STARTING);
        runSeconds(2);
        assertThat(told()).containsExactly("1 healthy");
    }

    @Test
    void steady_checks_keep_their_interval_whatever_a_check_takes() {
        runtime.answer(request -> Mono.delay(Duration.ofSeconds(7), time).thenReturn(ScriptedRuntime.passed()));
        runtime.start("gw", now());
        get(health.define(gateway()));
        run(Duration.ofMinutes(10));
        // The first at once, then one in each interval of 30 s.
        assertThat(runtime.requests()).hasSizeBetween(20, 21);
    }

    @Test
    void never_two_runs_at_once_and_on_demand_runs_join() {
        AtomicInteger running = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        runtime.answer(request -> Mono.delay(Duration.ofSeconds(5), time)
                .doOnSubscribe(on -> most.accumulateAndGet(running.incrementAndGet(), Math::max))
                .doFinally(end -> running.decrementAndGet())
                .thenReturn(ScriptedRuntime.passed()));
        runtime.start("gw", now());
        get(health.define(gateway()));
        List<CheckAnswer> answers = new ArrayList<>();
        health.check(ID).subscribe(answers::add);
        health.check(ID).subscribe(answers::add);
        runSeconds(6);
        assertThat(answers).hasSize(2);
        assertThat(runtime.requests()).hasSize(1);
        assertThat(most).hasValue(1);
    }

    @Test
    void checks_that_hang_starve_nobody() {
        Map<String, Integer> runs = new HashMap<>();
        runtime.answer(request -> {
            runs.merge(request.workspaceId().value(), 1, Integer::sum);
            return request.workspaceId().value().startsWith("hang")
                    ? Mono.delay(Duration.ofSeconds(10), time).thenReturn(ScriptedRuntime.failed())
                    : Mono.just(ScriptedRuntime.passed());
        });
        runtime.start("gw", now());
        for (int i = 0; i < 20; i++) {
            String name = (i < 5 ? "hang" : "good") + i;
            get(health.define(Workspace.named(name)
                    .id(new WorkspaceId(name))
                    .container("gw")
                    .healthCheck("true")
                    .interval(Duration.ofSeconds(1))));
        }
        run(Duration.ofSeconds(60));
        runs.forEach((name, count) -> {
            if (name.startsWith("good")) {
                assertThat(count).as(name).isBetween(58, 63);
            }
        });
        assertThat(runs).hasSize(20);
    }

    @ParameterizedTest
    @CsvSource({"EXEC, false, 2", "SESSION, true, 2", "SESSION, false, 8"})
    void five_hundred_workspaces_at_once_are_all_checked_within_an_interval_and_within_the_cap(
            ProbeKind kind, boolean opens, int cap) {
        runtime.opens(opens);
        AtomicInteger starting = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        runtime.answer(request -> Mono.delay(Duration.ofMillis(50), time)
                .doOnSubscribe(on -> most.accumulateAndGet(starting.incrementAndGet(), Math::max))
                .doFinally(end -> starting.decrementAndGet())
                .thenReturn(ScriptedRuntime.passed()));
        runtime.start("gw", now());
        for (int i = 0; i < 500; i++) {
            health.define(Workspace.named("w" + i)
                            .id(new WorkspaceId("w" + i))
                            .container("gw")
                            .probe(kind)
                            .healthCheck("true"))
                    .subscribe();
        }
        runSeconds(30);
        assertThat(runtime.requests().stream().map(ProbeRequest::workspaceId).distinct())
                .hasSize(500);
        assertThat(most).hasValue(cap);
        runtime.requests().clear();
        run(Duration.ofMinutes(50));
        Map<WorkspaceId, Integer> runs = new HashMap<>();
        runtime.requests().forEach(request -> runs.merge(request.workspaceId(), 1, Integer::sum));
        assertThat(runs.values()).allMatch(count -> count >= 99 && count <= 101);
    }

    @Test
    void a_status_names_the_probe_that_serves() {
        runtime.start("gw", now());
        get(health.define(gateway()));
        assertThat(get(health.current(ID)).probe()).isEqualTo(ProbeKind.SESSION);
        runtime.inPlace(ProbeKind.EXEC);
        assertThat(get(health.current(ID)).probe()).isEqualTo(ProbeKind.EXEC);
        assertThat(get(health.current(ID)).health().workspace().probe()).isEqualTo(ProbeKind.SESSION);
    }

    @Test
    void what_a_probe_holds_for_a_workspace_is_given_up_when_it_is_not_needed_or_wrong() {
        runtime.start("gw", now());
        get(health.define(gateway()));
        runSeconds(1);
        assertThat(runtime.released()).isEmpty();
        health.change(ID, draft -> draft.interval(Duration.ofSeconds(20))).subscribe();
        runSeconds(1);
        assertThat(runtime.released()).isEmpty();
        health.change(ID, draft -> draft.healthCheck("false")).subscribe();
        runSeconds(1);
        assertThat(runtime.released()).containsExactly(ID);
        runtime.pause("gw", true);
        runSeconds(1);
        assertThat(runtime.released()).hasSize(2);
        runtime.pause("gw", false);
        runSeconds(1);
        runtime.die("gw", StopCause.exited(1), now());
        runSeconds(1);
        assertThat(runtime.released()).hasSize(3);
        runtime.start("gw", now());
        runSeconds(1);
        health.remove(ID).subscribe();
        runSeconds(1);
        assertThat(runtime.released()).hasSize(4);
    }

    @Test
    void a_dead_container_ends_its_check_and_the_late_result_is_heard_by_nobody() {
        runtime.answer(request -> Mono.delay(Duration.ofSeconds(5), time).thenReturn(ScriptedRuntime.passed()));
        runtime.start("gw", now());
        get(health.define(gateway()));
        List<CheckAnswer> answers = new ArrayList<>();
        health.check(ID).subscribe(answers::add);
        runSeconds(1);
        runtime.die("gw", StopCause.exited(1), now());
        runSeconds(10);
        assertThat(told()).containsExactly("1 stopped");
        assertThat(answers).hasSize(1);
        assertThat(answers.get(0).noResult()).isNotNull();
    }

    @Test
    void an_attempt_without_a_result_is_repeated_soon_and_says_nothing() {
        AtomicInteger attempts = new AtomicInteger();
        runtime.answer(request -> Mono.just(
                attempts.incrementAndGet() < 4 ? new ProbeResult.NoResult("refused") : ScriptedRuntime.passed()));
        runtime.start("gw", now());
        get(health.define(gateway()));
        runSeconds(1);
        assertThat(told()).isEmpty();
        runSeconds(14);
        assertThat(told()).containsExactly("1 healthy");
    }

    @Test
    void a_workspace_without_results_goes_stale_and_the_stream_says_so() {
        runtime.start("gw", now());
        get(health.define(gateway()));
        runSeconds(1);
        runtime.answer(request -> Mono.just(new ProbeResult.NoResult("refused")));
        runSeconds(69);
        assertThat(state()).isEqualTo(HealthState.HEALTHY);
        runSeconds(1.5);
        assertThat(state()).isEqualTo(HealthState.STALE);
        assertThat(frames.get(frames.size() - 1).type().wireName()).isEqualTo("workspace_state");
        assertThat(told()).containsExactly("1 healthy");
    }

    @Test
    void a_runtime_that_is_gone_is_told_once_makes_nobody_unhealthy_and_checks_go_on_when_it_is_back() {
        for (int i = 0; i < 200; i++) {
            runtime.start("c" + i, now());
            get(health.define(Workspace.named("n" + i).container("c" + i).healthCheck("true")));
        }
        runSeconds(60);
        frames.clear();
        runtime.answer(request -> Mono.just(new ProbeResult.NoResult("no answer", true)));
        for (int i = 0; i < 20; i++) {
            runtime.tell(new RuntimeEvent.Unreachable("connection refused"));
            runSeconds(5);
        }
        Map<String, Integer> types = new HashMap<>();
        frames.forEach(frame -> types.merge(frame.type().wireName(), 1, Integer::sum));
        assertThat(types).containsEntry("monitor_health", 1).containsEntry("workspace_state", 200);
        assertThat(types).doesNotContainKey("service_health");
        assertThat(health.unready()).contains("runtime");
        frames.clear();
        runtime.answer(request -> Mono.just(ScriptedRuntime.passed()));
        runtime.tell(new RuntimeEvent.Reachable());
        runSeconds(31);
        types.clear();
        frames.forEach(frame -> types.merge(frame.type().wireName(), 1, Integer::sum));
        assertThat(types).containsEntry("monitor_health", 1).containsEntry("workspace_state", 200);
        assertThat(health.unready()).isEmpty();
    }

    @Test
    void a_container_created_again_under_the_same_name_is_the_next_incarnation() {
        runtime.start("gw", now());
        get(health.define(gateway()));
        runSeconds(1);
        runtime.remove("gw");
        runSeconds(1);
        assertThat(told()).containsExactly("1 healthy", "2 stopped");
        runtime.start("gw", now());
        runSeconds(1);
        assertThat(told()).containsExactly("1 healthy", "2 stopped", "3 healthy");
        assertThat(get(health.current(ID)).health().container().incarnation()).isEqualTo(2);
    }

    @Test
    void a_wall_clock_that_jumps_changes_nothing() {
        runtime.start("gw", now());
        get(health.define(gateway()));
        runSeconds(45);
        frames.clear();
        wallOffset = Duration.ofMinutes(10);
        runSeconds(60);
        wallOffset = Duration.ofMinutes(-10);
        runSeconds(60);
        wallOffset = Duration.ZERO;
        runSeconds(60);
        assertThat(frames).hasOnlyElementsOfType(Bookmark.class);
        assertThat(state()).isEqualTo(HealthState.HEALTHY);
    }

    @Test
    void heartbeats_come_through_the_loop_and_stop_when_a_due_check_waits_too_long() {
        List<Heartbeat> beats = new ArrayList<>();
        health.stream()
                .watch(WatchRequest.all().view(View.KLANGK).withHeartbeats())
                .ofType(Heartbeat.class)
                .subscribe(beats::add);
        runSeconds(31);
        assertThat(beats).hasSizeBetween(6, 7);
        assertThat(health.alive()).isTrue();
        runtime.answer(request -> Mono.never());
        runtime.start("gw", now());
        // Each start holds its slot for a quarter of a second, so a thousand starts take more than their interval.
        for (int i = 0; i < 1000; i++) {
            health.define(Workspace.named("w" + i)
                            .container("gw")
                            .healthCheck("true")
                            .interval(Duration.ofSeconds(1)))
                    .subscribe();
        }
        runSeconds(10);
        beats.clear();
        runSeconds(20);
        assertThat(beats).isEmpty();
        assertThat(health.alive()).isFalse();
    }

    @Test
    void nothing_can_be_checked_where_nothing_runs() {
        get(health.define(gateway()));
        assertThatThrownBy(() -> get(health.check(ID))).isInstanceOf(NotCheckableException.class);
        assertThatThrownBy(() -> get(health.check(new WorkspaceId("other"))))
                .isInstanceOf(NoSuchWorkspaceException.class);
        assertThatThrownBy(() -> get(health.serviceStarted(ID))).isInstanceOf(NotCheckableException.class);
    }

    @Test
    void names_are_unique_per_owner_and_definitions_are_validated_as_a_whole() {
        get(health.define(gateway()));
        assertThatThrownBy(() -> get(health.define(gateway().id(new WorkspaceId("w2")))))
                .isInstanceOf(NameTakenException.class);
        get(health.define(gateway().id(new WorkspaceId("w3")).owner("other")));
        assertThatThrownBy(() -> get(health.define(
                        Workspace.named("").interval(Duration.ofMillis(10)).timeout(Duration.ofHours(1)))))
                .isInstanceOfSatisfying(
                        InvalidWorkspaceException.class,
                        e -> assertThat(e.violations())
                                .extracting(InvalidWorkspaceException.Violation::field)
                                .containsExactly("name", "interval", "timeout"));
        get(health.remove(ID));
        get(health.define(gateway().id(new WorkspaceId("w4"))));
    }

    @Test
    void an_edit_is_checked_at_once_and_the_old_commands_result_is_dropped() {
        runtime.answer(request -> request.check().command().equals("true")
                ? Mono.delay(Duration.ofSeconds(5), time).thenReturn(ScriptedRuntime.passed())
                : Mono.just(ScriptedRuntime.failed()));
        runtime.start("gw", now().minusSeconds(600));
        get(health.define(gateway()));
        runSeconds(1);
        get(health.change(ID, draft -> draft.healthCheck("false")));
        runSeconds(0.1);
        assertThat(told()).containsExactly("1 unhealthy");
        runSeconds(20);
        assertThat(told()).containsExactly("1 unhealthy");
    }

    @Test
    void stopping_completes_every_stream_and_ends_every_run() {
        List<String> ends = new ArrayList<>();
        AtomicInteger cancelled = new AtomicInteger();
        runtime.answer(request -> Mono.<ProbeResult>never().doOnCancel(cancelled::incrementAndGet));
        runtime.start("gw", now());
        get(health.define(gateway()));
        health.stream()
                .watch(WatchRequest.all())
                .doOnComplete(() -> ends.add("complete"))
                .subscribe();
        runSeconds(1);
        health.stop().subscribe();
        runSeconds(1);
        assertThat(ends).containsExactly("complete");
        assertThat(cancelled).hasValue(1);
        assertThat(Objects.requireNonNull(health.position())).isNotNull();
    }
}
