package org.klangk.health.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.groups.Tuple.tuple;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.klangk.health.event.CheckCompleted;
import org.klangk.health.event.CheckOutcome;
import org.klangk.health.event.CheckResult;
import org.klangk.health.event.ClockJumped;
import org.klangk.health.event.Component;
import org.klangk.health.event.ComponentDown;
import org.klangk.health.event.ContainerRun;
import org.klangk.health.event.ContainerStarted;
import org.klangk.health.event.ContainerStopped;
import org.klangk.health.event.HealthEvent;
import org.klangk.health.event.StopCause;
import org.klangk.health.event.WorkspaceDefined;
import org.klangk.health.frame.Frame;
import org.klangk.health.frame.LoggedFrame;
import org.klangk.health.frame.Position;
import org.klangk.health.history.HistoryEntry;
import org.klangk.health.history.HistoryKind;
import org.klangk.health.history.HistoryQuery;
import org.klangk.health.history.ResultRun;
import org.klangk.health.history.Transition;
import org.klangk.health.pipeline.Commit;
import org.klangk.health.pipeline.Snapshot;
import org.klangk.health.state.HealthState;
import org.klangk.health.testing.Commits;
import org.klangk.health.testing.Story;
import org.klangk.health.workspace.Workspace;
import org.klangk.health.workspace.WorkspaceId;
import reactor.core.publisher.Mono;

/** What every journal does. */
public abstract class JournalConformance {
    private static final Duration LONG = Duration.ofSeconds(20);
    private static final Instant T0 = Story.T0;
    private static final ContainerRun RUN = new ContainerRun("c1", T0);

    private Journal journal;
    private Commits commits;
    private long run;

    /** A new one, not open yet. */
    protected abstract Journal create();

    @BeforeEach
    void open() {
        journal = create();
        Opened opened = get(journal.open(T0));
        assertThat(opened.known().workspaces()).isEmpty();
        assertThat(opened.known().position().rev()).isZero();
        assertThat(opened.known().position().epoch()).hasSize(26);
        assertThat(opened.lastAlive()).isNull();
        commits = new Commits(opened.known().position().epoch());
    }

    @AfterEach
    void close() {
        journal.close().block(LONG);
    }

    private static <T> T get(Mono<T> mono) {
        return Objects.requireNonNull(mono.block(LONG));
    }

    private void append(HealthEvent... events) {
        journal.append(commits.of(events)).block(LONG);
    }

    private void begin() {
        Workspace workspace = Story.workspace(draft -> draft.startupGrace(Duration.ZERO));
        append(new WorkspaceDefined(T0, workspace), new ContainerStarted(T0, Story.ID, RUN, T0));
    }

    private CheckCompleted result(long second, boolean passed) {
        Instant at = T0.plusSeconds(second);
        run++;
        CheckResult result = passed
                ? new CheckResult(CheckOutcome.PASSED, 0, null)
                : new CheckResult(CheckOutcome.FAILED, 1, "exited 1: " + second);
        return new CheckCompleted(
                at,
                Story.ID,
                1,
                1,
                run,
                at.minusMillis(50),
                Duration.ofMillis(20 + second),
                Duration.ofMillis(second),
                false,
                result);
    }

    private List<HistoryEntry> history(HistoryQuery query) {
        return get(journal.history(Story.ID, query));
    }

    @Test
    void frames_are_read_after_any_position_and_as_many_as_are_wanted() {
        begin();
        for (int i = 1; i <= 20; i++) {
            append(result(i, i % 2 == 0));
        }
        List<LoggedFrame> all = get(journal.frames(0, 1_000)).frames();
        assertThat(all).extracting(frame -> frame.position().rev()).hasSize((int)
                commits.position().rev());
        for (int rev = 0; rev <= all.size(); rev++) {
            for (int limit : new int[] {1, 3, 1_000}) {
                FramePage page = get(journal.frames(rev, limit));
                assertThat(page.compacted()).isFalse();
                assertThat(page.frames()).isEqualTo(all.subList(rev, Math.min(all.size(), rev + limit)));
            }
        }
    }

    @Test
    void frames_come_back_as_they_were_told() {
        begin();
        List<LoggedFrame> told = new ArrayList<>(get(journal.frames(0, 100)).frames());
        List<HealthEvent> more = List.of(
                result(1, false),
                result(2, true),
                new ContainerStopped(T0.plusSeconds(3), Story.ID, RUN, StopCause.oom(137, 1L << 30)),
                new ComponentDown(T0.plusSeconds(4), Component.RUNTIME, "it does not answer"));
        for (HealthEvent event : more) {
            Commit commit = commits.of(event);
            told.addAll(commit.frames());
            journal.append(commit).block(LONG);
        }
        assertThat(get(journal.frames(0, 100)).frames()).isEqualTo(told);
        assertThat(told).extracting(Frame::position).doesNotHaveDuplicates();
    }

    @Test
    void equal_results_are_one_run_until_something_else_happens() {
        begin();
        append(result(1, true));
        append(result(2, true), result(3, true));
        append(result(4, false));
        append(result(5, false), result(6, false));
        append(result(7, true));
        List<ResultRun> runs = history(new HistoryQuery(null, 100, Set.of(HistoryKind.RESULT))).stream()
                .map(ResultRun.class::cast)
                .toList();
        assertThat(runs)
                .extracting(one -> one.first().result().outcome(), ResultRun::count)
                .containsExactly(
                        tuple(CheckOutcome.PASSED, 3L), tuple(CheckOutcome.FAILED, 3L), tuple(CheckOutcome.PASSED, 1L));
        ResultRun failed = runs.get(1);
        assertThat(failed.first().at()).isEqualTo(T0.plusSeconds(4));
        assertThat(failed.lastAt()).isEqualTo(T0.plusSeconds(6));
        assertThat(failed.lastMessage()).isEqualTo("exited 1: 6");
        assertThat(failed.shortest()).isEqualTo(Duration.ofMillis(24));
        assertThat(failed.longest()).isEqualTo(Duration.ofMillis(26));
        assertThat(failed.total()).isEqualTo(Duration.ofMillis(75));
        assertThat(failed.longestStartDelay()).isEqualTo(Duration.ofMillis(6));
        append(new ClockJumped(T0.plusSeconds(60), Duration.ofSeconds(50)), result(61, true));
        assertThat(history(new HistoryQuery(null, 100, Set.of(HistoryKind.RESULT))))
                .hasSize(4);
    }

    @Test
    void history_is_read_by_kind_from_any_place_and_the_latest_come_last() {
        begin();
        append(result(1, true));
        append(result(2, false));
        append(new ComponentDown(T0.plusSeconds(3), Component.RUNTIME, "it does not answer"));
        append(new WorkspaceDefined(
                T0.plusSeconds(3),
                Story.workspace(draft -> draft.id(new WorkspaceId("w2")).name("other"))));
        append(new ContainerStopped(T0.plusSeconds(4), Story.ID, RUN, StopCause.exited(3)));
        List<HistoryEntry> all = history(HistoryQuery.latest(100));
        assertThat(all)
                .extracting(HistoryEntry::kind)
                .containsExactly(
                        HistoryKind.DEFINITION,
                        HistoryKind.TRANSITION,
                        HistoryKind.CONTAINER,
                        HistoryKind.TRANSITION,
                        HistoryKind.RESULT,
                        HistoryKind.TRANSITION,
                        HistoryKind.RESULT,
                        HistoryKind.TRANSITION,
                        HistoryKind.MONITOR,
                        HistoryKind.CONTAINER,
                        HistoryKind.TRANSITION);
        assertThat(all).extracting(HistoryEntry::id).isSorted().doesNotHaveDuplicates();
        assertThat(history(HistoryQuery.latest(3))).isEqualTo(all.subList(8, 11));
        for (int i = 0; i < all.size(); i++) {
            assertThat(history(new HistoryQuery(all.get(i).id(), 4, EnumSet.allOf(HistoryKind.class))))
                    .isEqualTo(all.subList(i + 1, Math.min(all.size(), i + 5)));
        }
        assertThat(history(new HistoryQuery(0L, 2, Set.of(HistoryKind.TRANSITION))))
                .containsExactly(all.get(1), all.get(3));
        assertThat(get(journal.history(
                        new WorkspaceId("nobody"), new HistoryQuery(null, 9, Set.of(HistoryKind.RESULT)))))
                .isEmpty();
    }

    @Test
    void changes_of_state_are_read_with_the_last_one_before() {
        begin();
        append(result(1, true));
        append(result(2, false));
        append(result(3, true));
        assertThat(get(journal.transitions(Story.ID, T0.plusMillis(1_500))))
                .extracting(
                        Transition::from,
                        turn -> turn.to() == null
                                ? HealthState.NOT_CHECKED
                                : turn.to().state())
                .containsExactly(
                        tuple(HealthState.UNKNOWN, HealthState.HEALTHY),
                        tuple(HealthState.HEALTHY, HealthState.UNHEALTHY),
                        tuple(HealthState.UNHEALTHY, HealthState.HEALTHY));
        assertThat(get(journal.transitions(Story.ID, T0.minusSeconds(5)))).hasSize(5);
    }

    @Test
    void being_alive_is_noted() {
        assertThat(get(journal.aliveSince(T0))).singleElement().satisfies(span -> {
            assertThat(span.from()).isEqualTo(T0);
            assertThat(span.to()).isEqualTo(T0);
        });
        journal.alive(T0.plusSeconds(30)).block(LONG);
        journal.alive(T0.plusSeconds(60)).block(LONG);
        assertThat(get(journal.aliveSince(T0.plusSeconds(10))))
                .singleElement()
                .satisfies(span -> assertThat(span.to()).isEqualTo(T0.plusSeconds(60)));
    }

    @Test
    void a_log_begun_anew_has_all_that_is_known_and_no_frame_of_before() {
        begin();
        append(result(1, true));
        Commit missed = commits.of(result(2, false));
        Position place = new Position("ANOTHER", commits.position().rev());
        Snapshot known = new Snapshot(place, commits.known().workspaces(), Map.of());
        journal.restart(known, missed.steps()).block(LONG);
        FramePage before = get(journal.frames(place.rev() - 1, 10));
        assertThat(before.compacted()).isTrue();
        assertThat(before.oldest()).isEqualTo(place.rev());
        assertThat(get(journal.frames(place.rev(), 10)).frames()).isEmpty();
        assertThat(history(new HistoryQuery(null, 10, Set.of(HistoryKind.RESULT))))
                .extracting(HistoryEntry::at)
                .containsExactly(T0.plusSeconds(1), T0.plusSeconds(2));
        append(result(3, true));
        assertThat(history(new HistoryQuery(null, 10, Set.of(HistoryKind.RESULT))))
                .hasSize(3);
    }
}
