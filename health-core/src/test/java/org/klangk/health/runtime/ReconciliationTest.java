package org.klangk.health.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.klangk.health.event.StopCause;
import org.klangk.health.event.WorkspaceEvent;
import org.klangk.health.runtime.ContainerInfo.Status;
import org.klangk.health.runtime.RuntimeEvent.Death;
import org.klangk.health.testing.Story;

class ReconciliationTest {
    private static final Instant NOW = Story.T0.plusSeconds(100);
    /** The run of a story's first container. */
    private static final Instant STARTED = Story.T0.plusSeconds(1);

    private static final Story RUNNING = Story.of(draft -> draft).start();
    private static final Story STOPPED = Story.of(draft -> draft);

    private static List<String> reconcile(Story story, @Nullable ContainerInfo seen, @Nullable Death death) {
        return Reconciliation.reconcile(story.health(), seen, death, null, NOW).stream()
                .map(ReconciliationTest::words)
                .toList();
    }

    private static String words(WorkspaceEvent event) {
        String name = event.getClass().getSimpleName();
        return event instanceof org.klangk.health.event.ContainerStopped stopped
                ? name + " " + stopped.cause().message()
                : name;
    }

    private static ContainerInfo info(String id, Status status, Instant startedAt, @Nullable StopCause cause) {
        return new ContainerInfo(id, "gw", status, startedAt, cause);
    }

    @Test
    void what_is_known_already_is_no_event() {
        assertThat(reconcile(RUNNING, info("c1", Status.RUNNING, STARTED, null), null))
                .isEmpty();
        assertThat(reconcile(STOPPED, null, null)).isEmpty();
        assertThat(reconcile(STOPPED, info("c1", Status.STOPPED, STARTED, StopCause.exited(1)), null))
                .isEmpty();
    }

    @Test
    void a_start_a_pause_and_a_resume_are_seen() {
        assertThat(reconcile(STOPPED, info("c1", Status.RUNNING, STARTED, null), null))
                .containsExactly("ContainerStarted");
        assertThat(reconcile(STOPPED, info("c1", Status.PAUSED, STARTED, null), null))
                .containsExactly("ContainerStarted", "ContainerPaused");
        assertThat(reconcile(RUNNING, info("c1", Status.PAUSED, STARTED, null), null))
                .containsExactly("ContainerPaused");
        Story paused = Story.of(draft -> draft).start().pause();
        assertThat(reconcile(paused, info("c1", Status.RUNNING, STARTED, null), null))
                .containsExactly("ContainerResumed");
    }

    @Test
    void a_death_has_the_cause_that_the_look_shows() {
        assertThat(reconcile(RUNNING, info("c1", Status.STOPPED, STARTED, StopCause.oom(137, 1L << 20)), null))
                .containsExactly("ContainerStopped OOM-killed at 1m memory limit (exit code 137)");
        assertThat(reconcile(
                        RUNNING, info("c1", Status.STOPPED, STARTED, StopCause.exited(1)), new Death(1, NOW, true)))
                .containsExactly("ContainerStopped null");
    }

    @Test
    void a_container_that_is_gone_was_removed_unless_its_death_says_more() {
        assertThat(reconcile(RUNNING, null, null)).containsExactly("ContainerStopped removed");
        assertThat(reconcile(RUNNING, null, new Death(137, NOW, false))).containsExactly("ContainerStopped removed");
        assertThat(reconcile(RUNNING, null, new Death(3, NOW, false))).containsExactly("ContainerStopped exited 3");
    }

    @Test
    void a_restart_that_nobody_saw_is_a_death_and_a_start() {
        Instant later = STARTED.plusSeconds(50);
        assertThat(reconcile(RUNNING, info("c1", Status.RUNNING, later, null), null))
                .containsExactly("ContainerStopped stopped, cause unknown", "ContainerStarted");
        assertThat(reconcile(RUNNING, info("c1", Status.RUNNING, later, null), new Death(137, NOW, false)))
                .containsExactly("ContainerStopped killed by SIGKILL", "ContainerStarted");
        assertThat(reconcile(RUNNING, info("c9", Status.RUNNING, later, null), null))
                .containsExactly("ContainerStopped removed", "ContainerStarted");
    }

    @Test
    void a_run_that_nobody_saw_is_told_and_a_stopped_container_at_the_first_look_is_not() {
        Story died = Story.of(draft -> draft).start().at(2).stop(StopCause.exited(1));
        ContainerInfo later = info("c1", Status.STOPPED, STARTED.plusSeconds(5), StopCause.exited(7));
        assertThat(reconcile(died, later, null)).containsExactly("ContainerStarted", "ContainerStopped exited 7");
        assertThat(reconcile(RUNNING, later, null))
                .containsExactly(
                        "ContainerStopped stopped, cause unknown", "ContainerStarted", "ContainerStopped exited 7");
        assertThat(reconcile(STOPPED, later, null)).isEmpty();
        assertThat(reconcile(died.edit(draft -> draft.container("other")), later, null))
                .isEmpty();
    }

    @Test
    void a_listing_agrees_when_container_second_and_pause_do() {
        assertThat(Reconciliation.agrees(RUNNING.health(), info("c1", Status.RUNNING, STARTED.plusMillis(900), null)))
                .isTrue();
        assertThat(Reconciliation.agrees(RUNNING.health(), info("c1", Status.RUNNING, STARTED.plusSeconds(1), null)))
                .isFalse();
        assertThat(Reconciliation.agrees(RUNNING.health(), info("c1", Status.PAUSED, STARTED, null)))
                .isFalse();
        assertThat(Reconciliation.agrees(RUNNING.health(), null)).isFalse();
        assertThat(Reconciliation.agrees(STOPPED.health(), null)).isTrue();
    }

    @Test
    void a_container_is_meant_by_its_name_or_a_long_part_of_its_id() {
        ContainerInfo info = new ContainerInfo("0123456789abcdef", "gw", Status.RUNNING, STARTED, null);
        assertThat(info.isMeantBy("gw")).isTrue();
        assertThat(info.isMeantBy("0123456789ab")).isTrue();
        assertThat(info.isMeantBy("0123")).isFalse();
        assertThat(info.isMeantBy("g")).isFalse();
    }
}
