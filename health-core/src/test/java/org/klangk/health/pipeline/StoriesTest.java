package org.klangk.health.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.klangk.health.state.HealthState.HEALTHY;
import static org.klangk.health.state.HealthState.NOT_CHECKED;
import static org.klangk.health.state.HealthState.STALE;
import static org.klangk.health.state.HealthState.STARTING;
import static org.klangk.health.state.HealthState.STOPPED;
import static org.klangk.health.state.HealthState.UNHEALTHY;
import static org.klangk.health.state.HealthState.UNKNOWN;

import java.time.Duration;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.klangk.health.event.StopCause;
import org.klangk.health.testing.Story;
import org.klangk.health.workspace.SetupState;
import org.klangk.health.workspace.WorkspaceDraft;

/** Histories from the field, each with what must have been told at its end. */
class StoriesTest {
    private static WorkspaceDraft noGrace(WorkspaceDraft draft) {
        return draft.startupGrace(Duration.ZERO);
    }

    private static WorkspaceDraft threeAndTwo(WorkspaceDraft draft) {
        return noGrace(draft).failuresBeforeUnhealthy(3).successesBeforeHealthy(2);
    }

    @Nested
    class Startup {
        @Test
        void a_failing_check_inside_grace_makes_no_frame() {
            Story story = Story.of(draft -> draft).start();
            int before = story.frames().size();
            story.at(1).fails().at(3).fails().at(29).fails();
            assertThat(story.frames()).hasSize(before);
            assertThat(story.state()).isEqualTo(STARTING);
            assertThat(story.health().verdict().checkedAt()).isNull();
            assertThat(story.health().verdict().streak().isEmpty()).isTrue();
        }

        @Test
        void a_check_that_started_in_grace_is_judged_by_its_start_not_by_its_end() {
            Story story =
                    Story.of(draft -> draft).start().at(35).checkBegunAt(29.9).fails();
            assertThat(story.told()).isEmpty();
            story.at(35.5).checkBegunAt(30).fails();
            assertThat(story.told()).containsExactly("1 unhealthy: exited 1");
        }

        @Test
        void never_passing_is_starting_and_then_unhealthy_at_the_first_result_after_grace() {
            Story story = Story.of(draft -> draft).start();
            for (int second = 0; second < 30; second += 2) {
                story.at(second).fails();
                assertThat(story.state()).isEqualTo(STARTING);
            }
            story.at(31).fails();
            assertThat(story.state()).isEqualTo(UNHEALTHY);
            assertThat(story.told()).containsExactly("1 unhealthy: exited 1");
            assertThat(story.types())
                    .containsExactly(
                            "workspaces_changed",
                            "workspace_state",
                            "container_status",
                            "workspace_state",
                            "service_health");
        }

        @Test
        void a_service_launched_late_is_judged_from_its_launch() {
            Story story = Story.of(draft -> draft.serviceCommand("serve")).start();
            story.at(2)
                    .fails()
                    .at(38)
                    .fails()
                    .at(40)
                    .serviceStarted()
                    .at(42)
                    .fails()
                    .at(60)
                    .passes();
            assertThat(story.told()).containsExactly("1 healthy");
        }

        @Test
        void a_service_that_is_never_launched_is_judged_after_ten_minutes() {
            Story story = Story.of(draft -> draft.serviceCommand("serve"))
                    .start()
                    .at(599)
                    .fails();
            assertThat(story.state()).isEqualTo(STARTING);
            story.at(600).fails();
            assertThat(story.told()).containsExactly("1 unhealthy: exited 1");
        }

        @Test
        void a_pass_in_grace_counts_at_once_whatever_the_thresholds() {
            Story story = Story.of(
                            draft -> draft.startupGrace(Duration.ofMinutes(5)).successesBeforeHealthy(3))
                    .start()
                    .at(30)
                    .passes();
            assertThat(story.told()).containsExactly("1 healthy");
        }

        @Test
        void without_grace_the_first_failure_counts() {
            Story story = Story.of(StoriesTest::noGrace).start();
            assertThat(story.state()).isEqualTo(UNKNOWN);
            story.at(0.1).fails();
            assertThat(story.told()).containsExactly("1 unhealthy: exited 1");
        }

        @Test
        void a_container_that_dies_in_grace_is_told_at_once() {
            Story story = Story.of(draft -> draft).start().at(1).stop(StopCause.exited(1));
            assertThat(story.told()).containsExactly("1 stopped: exited 1");
        }

        @Test
        void an_edit_brings_no_new_grace() {
            Story story = Story.of(draft -> draft).start().at(40).passes();
            story.at(41).edit(draft -> draft.healthCheck("false")).at(42).fails();
            assertThat(story.told()).containsExactly("1 healthy", "2 unhealthy: exited 1");
        }

        @Test
        void no_waiting_state_is_without_an_end() {
            Story story = Story.of(draft -> draft).start().at(70).deadline();
            assertThat(story.state()).isEqualTo(STALE);
        }
    }

    @Nested
    class Thresholds {
        @Test
        void flapping_below_both_thresholds_makes_no_transition() {
            Story story = Story.of(StoriesTest::threeAndTwo).start();
            story.at(1)
                    .fails()
                    .at(2)
                    .passes()
                    .at(3)
                    .fails()
                    .at(4)
                    .passes()
                    .at(5)
                    .fails()
                    .at(6)
                    .passes();
            assertThat(story.told()).isEmpty();
        }

        @Test
        void the_third_failure_and_the_second_pass_in_a_row_turn_the_verdict() {
            Story story = Story.of(StoriesTest::threeAndTwo).start();
            story.at(1).fails().at(2).fails();
            assertThat(story.told()).isEmpty();
            story.at(3).fails();
            assertThat(story.told()).containsExactly("1 unhealthy: exited 1");
            story.at(4).passes().at(5).fails().at(6).fails().at(7).passes();
            assertThat(story.told()).hasSize(1);
            story.at(8).passes();
            assertThat(story.told()).containsExactly("1 unhealthy: exited 1", "2 healthy");
        }

        @Test
        void a_single_failure_is_visible_as_a_streak_and_makes_no_frame() {
            Story story = Story.of(StoriesTest::threeAndTwo)
                    .start()
                    .at(1)
                    .passes()
                    .at(2)
                    .passes();
            int before = story.frames().size();
            story.at(3).fails();
            assertThat(story.health().verdict().streak().count()).isEqualTo(1);
            assertThat(story.health().verdict().streak().passed()).isFalse();
            assertThat(story.health()
                            .verdict()
                            .streak()
                            .needed(story.health().workspace().policy()))
                    .isEqualTo(3);
            assertThat(story.health().verdict().healthy()).isTrue();
            assertThat(story.health().verdict().message()).isNull();
            assertThat(story.frames()).hasSize(before);
        }

        @Test
        void an_edited_check_begins_its_streak_anew_and_keeps_its_verdict() {
            Story story = Story.of(StoriesTest::threeAndTwo)
                    .start()
                    .at(1)
                    .passes()
                    .at(2)
                    .passes()
                    .at(3)
                    .fails()
                    .at(4)
                    .fails();
            story.at(5).edit(draft -> draft.healthCheck("other"));
            assertThat(story.state()).isEqualTo(HEALTHY);
            story.at(6).fails().at(7).fails();
            assertThat(story.told()).containsExactly("1 healthy");
            story.at(8).fails();
            assertThat(story.told()).containsExactly("1 healthy", "2 unhealthy: exited 1");
        }

        @Test
        void impatience_makes_no_streak() {
            Story story = Story.of(StoriesTest::threeAndTwo).start().at(1).fails();
            for (int i = 0; i < 10; i++) {
                story.at(1.1 + i * 0.1).failsOnDemand();
            }
            assertThat(story.health().verdict().streak().count()).isEqualTo(1);
            story.at(3).failsOnDemand();
            assertThat(story.health().verdict().streak().count()).isEqualTo(2);
        }
    }

    @Nested
    class Containers {
        @Test
        void a_restarted_container_begins_with_a_clean_slate() {
            Story story = Story.of(StoriesTest::noGrace).start().at(1).fails("exited 7: refused");
            story.at(2).stop(StopCause.exited(137));
            assertThat(story.state()).isEqualTo(STOPPED);
            story.at(3).start();
            assertThat(story.health().verdict().healthy()).isNull();
            assertThat(story.health().verdict().message()).isNull();
            assertThat(story.health().container().incarnation()).isEqualTo(2);
            story.at(4).passes();
            assertThat(story.told())
                    .containsExactly("1 unhealthy: exited 7: refused", "2 stopped: killed by SIGKILL", "3 healthy");
        }

        @Test
        void seq_goes_on_rising_over_restarts_even_when_the_verdict_is_the_same() {
            Story story = Story.of(StoriesTest::noGrace).start().at(1).fails();
            story.at(2).stop(StopCause.exited(0)).at(3).start().at(4).fails();
            assertThat(story.told())
                    .containsExactly("1 unhealthy: exited 1", "2 stopped: exited 0", "3 unhealthy: exited 1");
        }

        @Test
        void a_result_of_the_dead_container_is_dropped() {
            Story story = Story.of(StoriesTest::noGrace).start().at(1).stop(StopCause.exited(1));
            int before = story.frames().size();
            story.at(5).strayPass(1, 1, 9);
            assertThat(story.frames()).hasSize(before);
            story.at(6).start();
            story.at(7).strayPass(1, 1, 10);
            assertThat(story.told()).containsExactly("1 stopped: exited 1");
        }

        @Test
        void a_result_of_an_edited_check_or_of_an_older_run_is_dropped() {
            Story story = Story.of(StoriesTest::noGrace).start().at(1).fails();
            story.at(2).edit(draft -> draft.healthCheck("other")).at(3).strayPass(1, 1, 100);
            assertThat(story.told()).containsExactly("1 unhealthy: exited 1");
            story.at(4).strayPass(1, 2, 1);
            assertThat(story.told()).containsExactly("1 unhealthy: exited 1");
        }

        @Test
        void a_second_run_seen_before_the_end_of_the_first_still_tells_its_death() {
            Story story =
                    Story.of(StoriesTest::noGrace).start().at(1).passes().at(2).start();
            assertThat(story.told()).containsExactly("1 healthy", "2 stopped: stopped, cause unknown");
            assertThat(story.state()).isEqualTo(UNKNOWN);
        }

        @Test
        void a_paused_container_is_not_checked_and_nothing_is_said_of_its_health() {
            Story story =
                    Story.of(StoriesTest::noGrace).start().at(1).passes().at(2).pause();
            assertThat(story.state()).isEqualTo(NOT_CHECKED);
            assertThat(story.reason()).isEqualTo("paused");
            story.at(120).deadline();
            assertThat(story.state()).isEqualTo(NOT_CHECKED);
            story.at(121).resume();
            assertThat(story.state()).isEqualTo(STALE);
            story.at(122).passes();
            assertThat(story.state()).isEqualTo(HEALTHY);
            assertThat(story.told()).containsExactly("1 healthy");
        }

        @Test
        void a_requested_stop_needs_no_explanation() {
            Story story = Story.of(draft -> draft).start().at(1).stop(StopCause.requested(143));
            assertThat(story.told()).containsExactly("1 stopped");
        }

        @Test
        void the_death_of_an_unchecked_container_is_told_too() {
            Story story = Story.of(draft -> draft.healthCheck(null)).start();
            assertThat(story.reason()).isEqualTo("no_health_check");
            story.at(1).stop(StopCause.oom(137, 8L << 30));
            assertThat(story.told()).containsExactly("1 stopped: OOM-killed at 8g memory limit (exit code 137)");
        }
    }

    @Nested
    class Steady {
        @Test
        void a_hundred_passes_make_one_frame() {
            Story story = Story.of(draft -> draft).start();
            for (int i = 1; i <= 100; i++) {
                story.at(i * 30).passes();
            }
            assertThat(story.told()).containsExactly("1 healthy");
        }

        @Test
        void another_reason_for_the_same_verdict_is_no_change() {
            Story story = Story.of(StoriesTest::noGrace)
                    .start()
                    .at(1)
                    .fails("exited 1: a")
                    .at(2)
                    .fails("exited 1: b");
            assertThat(story.told()).containsExactly("1 unhealthy: exited 1: a");
            assertThat(story.health().verdict().message()).isEqualTo("exited 1: b");
        }

        @Test
        void a_green_that_nobody_renews_goes_stale_and_comes_back_without_a_verdict_frame() {
            Story story = Story.of(draft -> draft).start().at(1).passes();
            assertThat(story.at(70.9).state()).isEqualTo(HEALTHY);
            story.at(71).deadline();
            assertThat(story.state()).isEqualTo(STALE);
            assertThat(story.health().verdict().healthy()).isTrue();
            story.at(100).passes();
            assertThat(story.state()).isEqualTo(HEALTHY);
            assertThat(story.told()).containsExactly("1 healthy");
            assertThat(story.types().subList(5, 7)).containsExactly("workspace_state", "workspace_state");
        }

        @Test
        void disabling_and_setup_stop_the_judging_and_say_why() {
            Story story = Story.of(draft -> draft.setup(SetupState.PENDING)).start();
            assertThat(story.reason()).isEqualTo("setup_pending");
            story.at(1).edit(draft -> draft.setup(SetupState.FAILED));
            assertThat(story.reason()).isEqualTo("setup_failed");
            story.at(2).edit(draft -> draft.setup(SetupState.COMPLETE));
            assertThat(story.state()).isEqualTo(STARTING);
            story.at(3).edit(draft -> draft.enabled(false));
            assertThat(story.reason()).isEqualTo("disabled");
            assertThat(story.told()).isEmpty();
        }

        @Test
        void a_removed_workspace_is_told_and_forgotten() {
            Story story = Story.of(draft -> draft).start().at(1).remove();
            assertThat(story.types()).endsWith("workspace_removed", "workspaces_changed");
        }
    }

    @Nested
    class Clock {
        @ParameterizedTest
        @ValueSource(longs = {600, -600, 6, -6})
        void a_clock_that_jumps_in_grace_makes_no_transition(long seconds) {
            Story story = Story.of(draft -> draft).start().at(5).fails().clockJumps(Duration.ofSeconds(seconds));
            story.later(2).fails().later(20).fails();
            assertThat(story.state()).isEqualTo(STARTING);
            story.later(5).fails();
            assertThat(story.told()).containsExactly("1 unhealthy: exited 1");
        }

        @ParameterizedTest
        @ValueSource(longs = {600, -600})
        void a_clock_that_jumps_and_comes_back_in_steady_state_makes_no_transition(long seconds) {
            Story story = Story.of(draft -> draft).start().at(40).passes();
            int before = story.frames().size();
            story.clockJumps(Duration.ofSeconds(seconds))
                    .later(1)
                    .deadline()
                    .later(29)
                    .passes();
            story.clockJumps(Duration.ofSeconds(-seconds))
                    .later(1)
                    .deadline()
                    .later(29)
                    .passes();
            assertThat(story.frames()).hasSize(before);
            assertThat(story.state()).isEqualTo(HEALTHY);
        }
    }

    @Test
    void frames_are_numbered_without_a_gap_and_seq_within_its_type() {
        Story story = Story.of(StoriesTest::noGrace)
                .start()
                .at(1)
                .passes()
                .at(2)
                .fails()
                .at(3)
                .stop(StopCause.removed());
        long rev = 0;
        for (var frame : story.frames()) {
            rev++;
            assertThat(frame.position().rev()).isEqualTo(rev);
            assertThat(frame.position().epoch()).isEqualTo("E");
        }
        assertThat(story.told()).containsExactly("1 healthy", "2 unhealthy: exited 1", "3 stopped: removed");
        assertThat(story.tracked().told().rev()).isEqualTo(rev);
        assertThat(story.tracked().told().seq()).isEqualTo(3);
    }
}
