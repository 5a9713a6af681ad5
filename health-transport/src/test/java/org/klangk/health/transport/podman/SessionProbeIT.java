package org.klangk.health.transport.podman;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.klangk.health.event.CheckOutcome;
import org.klangk.health.probe.Probe;
import org.klangk.health.probe.ProbeRequest;
import org.klangk.health.probe.ProbeResult;
import org.klangk.health.workspace.HealthCheck;
import org.klangk.health.workspace.ProbeKind;
import org.klangk.health.workspace.WorkspaceId;
import reactor.core.publisher.Flux;
import reactor.core.scheduler.Schedulers;

/** Checks in sessions, and what becomes of the sessions. */
class SessionProbeIT extends ContainerProbeConformance {
    SessionProbeIT() {
        super(ProbeKind.SESSION, SessionLimits.standard());
    }

    /** A probe with a container of its own. */
    private final class Bench implements AutoCloseable {
        final String container;
        final String id;
        final PodmanRuntime runtime;
        final Probe probe;

        Bench(String container, SessionLimits limits) {
            this.container = container;
            id = podman.container(container);
            runtime = PodmanRuntime.connect(podman.socket(), limits);
            probe = runtime.probe(ProbeKind.SESSION);
        }

        Bench(String container) {
            this(container, SessionLimits.standard());
        }

        ProbeRequest request(String command) {
            return in(id, command, null, null, null, LONG);
        }

        /** In the container's next run. */
        ProbeRequest later(String command) {
            return new ProbeRequest(
                    new WorkspaceId("w1"), id, 2, new HealthCheck(command), null, null, null, LONG, LONG);
        }

        String said(String command) {
            return SessionProbeIT.this.said(Objects.requireNonNull(
                    probe.run(request(command + "; exit 1")).block(LONG)));
        }

        /** How many sessions there are; each is a shell and its guard. */
        double sessions() {
            return podman.processes(container).stream()
                            .filter(line -> line.endsWith(" klangk-session"))
                            .count()
                    / 2.0;
        }

        void awaitSessions(double count) {
            assertThat(Flux.interval(Duration.ofMillis(20), Schedulers.boundedElastic())
                            .onBackpressureDrop()
                            .map(tick -> sessions())
                            .filter(sessions -> sessions == count)
                            .blockFirst(LONG))
                    .isEqualTo(count);
        }

        @Override
        public void close() {
            runtime.close().block(LONG);
            podman.remove(container);
        }
    }

    @Test
    void checks_share_a_shell_that_was_opened_when_it_was_needed() {
        try (Bench bench = new Bench("shared")) {
            assertThat(bench.sessions()).isZero();
            assertThat(bench.probe.opens(bench.request("true"))).isTrue();
            String first = bench.said("echo $PPID");
            assertThat(bench.probe.opens(bench.request("true"))).isFalse();
            assertThat(bench.said("echo $PPID")).isEqualTo(first).matches("[0-9]+");
            assertThat(bench.sessions()).isEqualTo(1);
        }
    }

    @Test
    void a_session_serves_one_run_of_one_container_as_one_user_in_one_place() {
        try (Bench bench = new Bench("seats")) {
            String first = bench.said("echo $PPID");
            assertThat(bench.probe.opens(bench.later("true"))).isTrue();
            String second = said(Objects.requireNonNull(
                    bench.probe.run(bench.later("echo $PPID; exit 1")).block(LONG)));
            assertThat(second).isNotEqualTo(first);
            ProbeRequest elsewhere = in(bench.id, "echo $PPID $PWD; exit 1", null, null, "/tmp", LONG);
            assertThat(said(Objects.requireNonNull(bench.probe.run(elsewhere).block(LONG))))
                    .endsWith(" /tmp")
                    .doesNotStartWith(second);
            bench.awaitSessions(1);
        }
    }

    @Test
    void a_released_session_ends() {
        try (Bench bench = new Bench("released")) {
            bench.said("echo");
            bench.probe.release(new WorkspaceId("w1"));
            bench.awaitSessions(0);
        }
    }

    @Test
    void a_session_that_nobody_needs_for_longer_than_its_interval_allows_ends() {
        try (Bench bench = new Bench("idle")) {
            Duration brief = Duration.ofMillis(300);
            bench.probe
                    .run(new ProbeRequest(
                            new WorkspaceId("w1"),
                            bench.id,
                            1,
                            new HealthCheck("true"),
                            null,
                            null,
                            null,
                            brief,
                            brief))
                    .block(LONG);
            bench.awaitSessions(0);
        }
    }

    @Test
    void a_session_is_opened_anew_when_it_is_old() {
        try (Bench bench = new Bench("old", new SessionLimits(Duration.ofMillis(1), 3, Duration.ofHours(1)))) {
            assertThat(bench.said("echo $PPID")).isNotEqualTo(bench.said("echo $PPID"));
            bench.awaitSessions(1);
        }
    }

    @Test
    void a_session_that_was_killed_between_two_checks_is_opened_anew() {
        try (Bench bench = new Bench("killed")) {
            String first = bench.said("echo $PPID");
            podman.inside("killed", "kill -9 " + first);
            bench.awaitSessions(0);
            assertThat(bench.said("echo $PPID")).isNotEqualTo(first).matches("[0-9]+");
            assertThat(bench.probe.inPlace(new WorkspaceId("w1"))).isNull();
        }
    }

    @Test
    void a_check_whose_session_is_killed_is_run_again_and_nothing_of_the_first_run_is_left() {
        try (Bench bench = new Bench("again")) {
            String once = "[ -e /tmp/ran ] && exit 0; touch /tmp/ran; setsid sleep 71 & kill -9 $PPID; sleep 72";
            assertThat(bench.probe.run(bench.request(once)).block(LONG))
                    .isInstanceOfSatisfying(
                            ProbeResult.Completed.class,
                            completed -> assertThat(completed.outcome()).isEqualTo(CheckOutcome.PASSED));
            assertThat(podman.processes("again")).containsExactly("sleep infinity");
        }
    }

    @Test
    void a_cancelled_check_takes_its_session_with_it() {
        try (Bench bench = new Bench("cancelled")) {
            bench.said("echo");
            var running = bench.probe
                    .run(bench.request("touch /tmp/on; setsid sleep 73 & sleep 74"))
                    .subscribe();
            podman.inside("cancelled", "while [ ! -e /tmp/on ]; do sleep 0.05; done");
            running.dispose();
            bench.awaitSessions(0);
            assertThat(podman.processes("cancelled")).containsExactly("sleep infinity");
        }
    }

    @Test
    void where_sessions_do_not_last_execs_serve_until_sessions_are_tried_again() {
        WorkspaceId id = new WorkspaceId("w1");
        try (Bench bench = new Bench("refuses", new SessionLimits(Duration.ofHours(1), 2, Duration.ofMillis(1)))) {
            podman.inside("refuses", """
                    mkdir -p /usr/local/bin
                    cat > /usr/local/bin/bash <<'E'
                    #!/bin/bash
                    [ "$4" = klangk-session ] && exit 1
                    exec /bin/bash "$@"
                    E
                    chmod 755 /usr/local/bin/bash""");
            assertThat(bench.said("echo one")).isEqualTo("one");
            assertThat(bench.probe.inPlace(id)).isNull();
            assertThat(bench.said("echo two")).isEqualTo("two");
            assertThat(bench.probe.inPlace(id)).isEqualTo(ProbeKind.EXEC);
            assertThat(bench.probe.opens(bench.request("true"))).isTrue();
            podman.inside("refuses", "rm /usr/local/bin/bash");
            assertThat(bench.said("echo three")).isEqualTo("three");
            assertThat(bench.probe.inPlace(id)).isNull();
            assertThat(bench.sessions()).isEqualTo(1);
        }
    }

    @Test
    void a_container_that_dies_and_starts_again_gets_a_session_of_its_own() {
        try (Bench bench = new Bench("restarts")) {
            bench.said("echo");
            podman.cli("restart", "-t", "0", "restarts");
            assertThat(bench.probe.run(bench.later("true")).block(LONG)).isInstanceOf(ProbeResult.Completed.class);
            assertThat(bench.sessions()).isEqualTo(1);
        }
    }

    @Test
    void overlapping_runs_have_sessions_of_their_own_and_one_is_kept() {
        try (Bench bench = new Bench("overlap")) {
            List<String> shells = Flux.range(0, 3)
                    .flatMap(i -> bench.probe
                            .run(bench.request(
                                    "touch /tmp/on.$$; while [ $(ls /tmp/on.* | wc -l) -lt 3 ]; do sleep 0.05;"
                                            + " done; echo $PPID; exit 1"))
                            .map(this::said))
                    .collectList()
                    .block(LONG);
            assertThat(shells).doesNotHaveDuplicates().hasSize(3);
            bench.awaitSessions(1);
        }
    }

    @Test
    void the_session_ends_with_the_runtime() {
        try (Bench bench = new Bench("closes")) {
            bench.said("echo");
            bench.runtime.close().block(LONG);
            bench.awaitSessions(0);
        }
    }
}
