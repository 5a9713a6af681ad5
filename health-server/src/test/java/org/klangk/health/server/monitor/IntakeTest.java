package org.klangk.health.server.monitor;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.klangk.health.server.monitor.Intake.OnConnect;
import org.klangk.health.server.monitor.Intake.Verdict;
import org.klangk.health.server.monitor.Intake.Wanted;

/** What a monitor does with each frame. */
class IntakeTest {
    private static final Wanted ALL = new Wanted(Set.of(), Set.of(), false, OnConnect.unhealthy);

    private static Event verdict(String kind, String workspace, long seq, boolean healthy, long rev) {
        return Event.of("{\"type\":\"service_health\",\"workspace_id\":\"" + workspace + "\",\"healthy\":" + healthy
                + ",\"seq\":" + seq + ",\"kind\":\"" + kind + "\",\"rev\":" + rev + ",\"epoch\":\"E\"}");
    }

    private static Event about(String type, long rev) {
        return Event.of("{\"type\":\"" + type + "\",\"rev\":" + rev + ",\"epoch\":\"E\"}");
    }

    private static Event gone() {
        return Event.of("{\"type\":\"gone\",\"reason\":\"compacted\",\"oldest\":\"E.1\",\"rev\":1,\"epoch\":\"E\"}");
    }

    @Test
    void on_the_first_connection_it_runs_for_what_is_unhealthy_and_at_a_reconnect_for_nothing() {
        Intake intake = new Intake(ALL, Place.BEGINNING);
        assertThat(intake.take(verdict("snapshot", "bad", 3, false, 7)).runs()).isTrue();
        assertThat(intake.take(verdict("snapshot", "good", 2, true, 6)).runs()).isFalse();
        assertThat(intake.position()).as("not before the snapshot is whole").isNull();
        // Cut here, and begun anew.
        assertThat(intake.take(verdict("snapshot", "bad", 3, false, 7)).runs()).isFalse();
        intake.take(about("snapshot_end", 9));
        assertThat(intake.position()).isEqualTo("E.9");
        Verdict change = intake.take(verdict("change", "bad", 4, true, 10));
        assertThat(change.runs()).isTrue();
        assertThat(change.missed()).isFalse();
        assertThat(intake.position()).isEqualTo("E.10");
    }

    @Test
    void it_runs_for_all_or_none_where_it_was_told_so() {
        Intake all = new Intake(new Wanted(Set.of(), Set.of(), false, OnConnect.all), Place.BEGINNING);
        assertThat(all.take(verdict("snapshot", "good", 2, true, 6)).runs()).isTrue();
        Intake none = new Intake(new Wanted(Set.of(), Set.of(), false, OnConnect.none), Place.BEGINNING);
        assertThat(none.take(verdict("snapshot", "bad", 2, false, 6)).runs()).isFalse();
        assertThat(none.take(verdict("snapshot", "bad", 2, false, 6)).shown()).isTrue();
    }

    @Test
    void after_a_gap_it_runs_for_what_is_not_as_it_was_and_says_that_something_is_missing() {
        Intake intake = new Intake(ALL, Place.BEGINNING);
        intake.take(verdict("snapshot", "same", 1, false, 5));
        intake.take(verdict("snapshot", "other", 1, true, 6));
        intake.take(about("snapshot_end", 9));
        intake.take(gone());
        assertThat(intake.position()).isNull();
        assertThat(intake.take(verdict("snapshot", "same", 1, false, 5)).runs()).isFalse();
        Verdict other = intake.take(verdict("snapshot", "other", 8, true, 90));
        assertThat(other.runs())
                .as("it is healthy again, and was not meanwhile")
                .isTrue();
        assertThat(other.missed()).isTrue();
        assertThat(intake.take(verdict("snapshot", "new", 1, false, 91)).runs()).isTrue();
        intake.take(about("snapshot_end", 99));
        assertThat(intake.take(verdict("change", "same", 2, true, 100)).missed())
                .isFalse();
    }

    @Test
    void what_was_finished_ahead_of_the_cursor_does_not_run_again() {
        Intake intake = new Intake(ALL, new Place("E.10", Map.of("w1", 14L)));
        assertThat(intake.position()).isEqualTo("E.10");
        assertThat(intake.take(verdict("change", "w2", 5, false, 11)).runs()).isTrue();
        assertThat(intake.take(verdict("change", "w1", 5, false, 12)).shown()).isFalse();
        assertThat(intake.take(verdict("change", "w1", 6, true, 14)).runs()).isFalse();
        assertThat(intake.take(verdict("change", "w1", 7, false, 15)).runs()).isTrue();
    }

    @Test
    void only_what_is_wanted_is_shown_and_the_place_moves_on_all_the_same() {
        Intake intake = new Intake(
                new Wanted(Set.of("service_health"), Set.of("w1"), false, OnConnect.unhealthy), Place.BEGINNING);
        assertThat(intake.take(verdict("change", "w2", 5, false, 11)).shown()).isFalse();
        assertThat(intake.take(about("workspaces_changed", 12)).shown()).isFalse();
        assertThat(intake.take(verdict("change", "w1", 5, false, 13)).shown()).isTrue();
        intake.take(about("bookmark", 20));
        assertThat(intake.position()).isEqualTo("E.20");
        Intake klangk = new Intake(ALL, Place.BEGINNING);
        assertThat(klangk.take(about("workspace_state", 1)).shown())
                .as("of the full view")
                .isFalse();
        Intake full = new Intake(new Wanted(Set.of(), Set.of(), true, OnConnect.unhealthy), Place.BEGINNING);
        assertThat(full.take(about("workspace_state", 1)).shown()).isTrue();
    }
}
