package org.klangk.health.service;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.klangk.health.event.Component;
import org.klangk.health.frame.Frame;
import org.klangk.health.frame.FrameKind;
import org.klangk.health.frame.Gone;
import org.klangk.health.frame.MonitorHealth;
import org.klangk.health.frame.Position;
import org.klangk.health.frame.ServiceHealth;
import org.klangk.health.frame.SnapshotEnd;
import org.klangk.health.frame.View;
import org.klangk.health.history.HistoryKind;
import org.klangk.health.history.HistoryQuery;
import org.klangk.health.history.Transition;
import org.klangk.health.probe.ProbeResult;
import org.klangk.health.state.HealthState;
import org.klangk.health.stream.WatchRequest;
import org.klangk.health.testing.FailingJournal;
import org.klangk.health.testing.ScriptedRuntime;
import org.klangk.health.time.HealthClock;
import org.klangk.health.workspace.Workspace;
import org.klangk.health.workspace.WorkspaceId;
import reactor.core.publisher.Mono;
import reactor.test.scheduler.VirtualTimeScheduler;

/** The journal refuses to write, and later works again. */
class JournalOutageTest {
    private static final WorkspaceId ID = new WorkspaceId("w1");

    private final VirtualTimeScheduler time = VirtualTimeScheduler.create();
    private final ScriptedRuntime runtime = new ScriptedRuntime();
    private final FailingJournal journal = new FailingJournal();
    private final List<Frame> full = new ArrayList<>();
    private final List<Frame> klangk = new ArrayList<>();
    private ProbeResult result = ScriptedRuntime.passed();
    private HealthService health = service();

    private HealthService service() {
        return HealthService.builder()
                .runtime(runtime)
                .journal(journal)
                .scheduler(time)
                .clock(HealthClock.of(time))
                .build();
    }

    @BeforeEach
    void healthy() {
        time.advanceTimeBy(Duration.ofDays(20_000));
        health = service();
        health.start().subscribe();
        seconds(0);
        runtime.answer(request -> Mono.just(result));
        runtime.start("gw", Instant.ofEpochMilli(time.now(TimeUnit.MILLISECONDS)));
        health.define(Workspace.named("gateway")
                        .id(ID)
                        .container("gw")
                        .healthCheck("true")
                        .startupGrace(Duration.ZERO)
                        .interval(Duration.ofSeconds(2)))
                .subscribe();
        seconds(3);
        health.stream().watch(WatchRequest.all()).subscribe(full::add);
        health.stream().watch(WatchRequest.all().view(View.KLANGK)).subscribe(klangk::add);
        seconds(0);
        full.clear();
        klangk.clear();
    }

    @AfterEach
    void stop() {
        health.stop().subscribe();
        seconds(1);
        time.dispose();
    }

    private void seconds(double seconds) {
        time.advanceTimeBy(Duration.ofMillis(Math.round(seconds * 1000)));
    }

    private void turns(boolean healthy) {
        result = healthy ? ScriptedRuntime.passed() : ScriptedRuntime.failed();
        seconds(2.1);
    }

    private <T> T get(Mono<T> mono) {
        List<T> values = new ArrayList<>();
        mono.subscribe(values::add);
        seconds(0);
        assertThat(values).hasSize(1);
        return values.get(0);
    }

    private List<String> verdicts(List<Frame> frames) {
        return frames.stream()
                .filter(frame -> frame instanceof ServiceHealth told && told.kind() == FrameKind.CHANGE)
                .map(frame -> ((ServiceHealth) frame).seq() + " " + ((ServiceHealth) frame).healthy())
                .toList();
    }

    @Test
    void it_says_so_once_and_goes_on_judging_and_telling_under_another_name() {
        Position before = health.position();
        journal.fail("database or disk is full");
        turns(false);
        turns(true);
        turns(false);
        assertThat(get(health.current(ID)).state().state()).isEqualTo(HealthState.UNHEALTHY);
        assertThat(health.unready()).containsExactly("journal");
        assertThat(health.alive()).isTrue();
        assertThat(health.position().epoch()).isNotEqualTo(before.epoch());
        assertThat(full.get(0)).isInstanceOfSatisfying(Gone.class, gone -> {
            assertThat(gone.reason()).isEqualTo(Gone.Reason.EPOCH_CHANGED);
            assertThat(gone.position().epoch()).isEqualTo(health.position().epoch());
        });
        assertThat(full)
                .filteredOn(MonitorHealth.class::isInstance)
                .singleElement()
                .satisfies(frame -> {
                    MonitorHealth told = (MonitorHealth) frame;
                    assertThat(told.component()).isEqualTo(Component.JOURNAL);
                    assertThat(told.healthy()).isFalse();
                    assertThat(told.message()).isEqualTo("database or disk is full");
                });
        assertThat(full).filteredOn(SnapshotEnd.class::isInstance).hasSize(1);
        assertThat(verdicts(full)).endsWith("3 true", "4 false");
        assertThat(verdicts(klangk)).containsExactly("2 false", "3 true", "4 false");
    }

    @Test
    void when_it_works_again_it_has_everything_and_the_log_goes_on_under_a_third_name() {
        Position before = health.position();
        journal.fail("database or disk is full");
        turns(false);
        turns(true);
        Position meanwhile = health.position();
        seconds(60);
        int refused = journal.refused();
        assertThat(refused).isBetween(5, 8);
        journal.fail(null);
        seconds(31);
        assertThat(journal.refused()).isEqualTo(refused);
        assertThat(health.unready()).isEmpty();
        turns(false);
        Position after = health.position();
        assertThat(List.of(before.epoch(), meanwhile.epoch(), after.epoch())).doesNotHaveDuplicates();
        assertThat(verdicts(klangk)).containsExactly("2 false", "3 true", "4 false");
        assertThat(full).filteredOn(Gone.class::isInstance).hasSize(2);
        List<Frame> back = full.subList(lastGone(), full.size());
        assertThat(back).filteredOn(SnapshotEnd.class::isInstance).hasSize(1);
        assertThat(back).filteredOn(MonitorHealth.class::isInstance).isEmpty();
        assertThat(get(health.past().history(ID, new HistoryQuery(null, 100, Set.of(HistoryKind.TRANSITION)))))
                .extracting(entry -> ((Transition) entry).to())
                .extracting(state -> state == null ? null : state.state())
                .endsWith(HealthState.HEALTHY, HealthState.UNHEALTHY, HealthState.HEALTHY, HealthState.UNHEALTHY);
        List<Frame> resumed = new ArrayList<>();
        health.stream().watch(WatchRequest.after(meanwhile)).subscribe(resumed::add);
        seconds(0);
        assertThat(resumed.get(0))
                .isInstanceOfSatisfying(
                        Gone.class, gone -> assertThat(gone.reason()).isEqualTo(Gone.Reason.EPOCH_CHANGED));
    }

    private int lastGone() {
        int last = full.size() - 1;
        while (!(full.get(last) instanceof Gone)) {
            last--;
        }
        return last;
    }

    @Test
    void a_command_that_could_not_be_kept_is_answered_all_the_same() {
        journal.fail("database or disk is full");
        Workspace edited = get(health.change(ID, draft -> draft.name("other")));
        assertThat(edited.name()).isEqualTo("other");
        assertThat(get(health.current(ID)).health().workspace().name()).isEqualTo("other");
    }
}
