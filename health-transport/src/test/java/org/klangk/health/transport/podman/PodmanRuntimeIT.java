package org.klangk.health.transport.podman;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.klangk.health.event.CheckOutcome;
import org.klangk.health.event.StopCause;
import org.klangk.health.frame.Frame;
import org.klangk.health.frame.MonitorHealth;
import org.klangk.health.frame.ServiceHealth;
import org.klangk.health.probe.CheckAnswer;
import org.klangk.health.runtime.ContainerInfo;
import org.klangk.health.service.HealthService;
import org.klangk.health.stream.WatchRequest;
import org.klangk.health.workspace.ProbeKind;
import org.klangk.health.workspace.Workspace;
import org.klangk.health.workspace.WorkspaceId;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.scheduler.Schedulers;

/** The embedded service over a real Podman. */
@NeedsPodman
class PodmanRuntimeIT {
    private static final Duration LONG = Duration.ofSeconds(40);
    private static final WorkspaceId ID = new WorkspaceId("w1");

    private static final Duration SECOND = Duration.ofSeconds(1);

    private final TestPodman podman = TestPodman.get();
    private final PodmanRuntime runtime = PodmanRuntime.connect(podman.socket());
    private final HealthService health =
            HealthService.builder().runtime(runtime).build();
    private final BlockingQueue<Frame> frames = new LinkedBlockingQueue<>();
    private Disposable subscription = () -> {};

    private void start() {
        health.start().block(LONG);
        subscription = health.stream().watch(WatchRequest.all()).subscribe(frames::add);
    }

    @AfterEach
    void stop() {
        subscription.dispose();
        health.stop().block(LONG);
        podman.remove("rt");
    }

    private <F extends Frame> F next(Class<F> type) {
        List<Frame> passed = new ArrayList<>();
        try {
            while (true) {
                Frame frame = frames.poll(40, TimeUnit.SECONDS);
                if (frame == null) {
                    throw new AssertionError("no " + type.getSimpleName() + " came; there was " + passed);
                }
                if (type.isInstance(frame)) {
                    return type.cast(frame);
                }
                passed.add(frame);
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private void define(String check, Duration timeout) {
        health.define(Workspace.named("rt")
                        .id(ID)
                        .container("rt")
                        .healthCheck(check)
                        .startupGrace(Duration.ZERO)
                        .interval(Duration.ofSeconds(1))
                        .timeout(timeout))
                .block(LONG);
    }

    @Test
    void an_inspect_tells_the_run_and_why_it_ended() {
        String id = podman.container("rt");
        ContainerInfo running = Objects.requireNonNull(runtime.inspect("rt").block(LONG));
        assertThat(running.id()).isEqualTo(id);
        assertThat(running.status()).isEqualTo(ContainerInfo.Status.RUNNING);
        assertThat(running.stopCause()).isNull();
        podman.cli("kill", "rt");
        podman.cli("wait", "rt");
        ContainerInfo dead = Objects.requireNonNull(runtime.inspect(id).block(LONG));
        assertThat(dead.status()).isEqualTo(ContainerInfo.Status.STOPPED);
        assertThat(dead.startedAt()).isEqualTo(running.startedAt());
        assertThat(dead.stopCause()).isEqualTo(StopCause.exited(137));
        podman.remove("rt");
        assertThat(runtime.inspect("rt").blockOptional(LONG)).isEmpty();
        assertThat(runtime.inspect("../../../etc/passwd").blockOptional(LONG)).isEmpty();
        health.start().block(LONG);
    }

    @Test
    void a_container_that_exits_by_itself_is_told_with_its_code() {
        start();
        define("true", Duration.ofSeconds(5));
        podman.container("rt", TestPodman.IMAGE, "bash", "-c", "while [ ! -e /tmp/end ]; do sleep 0.1; done; exit 7");
        assertThat(next(ServiceHealth.class).healthy()).isTrue();
        podman.inside("rt", "touch /tmp/end");
        ServiceHealth dead = next(ServiceHealth.class);
        assertThat(dead.running()).isFalse();
        assertThat(dead.healthMessage()).isEqualTo("exited 7");
        podman.cli("start", "rt");
        // It ends at once, before anybody can look.
        ServiceHealth again = next(ServiceHealth.class);
        assertThat(again.incarnation()).isEqualTo(2);
        assertThat(again.healthMessage()).isEqualTo("exited 7");
        assertThat(again.seq()).isEqualTo(3);
    }

    @Test
    void a_restart_is_a_death_and_a_new_run() {
        podman.container("rt");
        start();
        define("true", Duration.ofSeconds(5));
        assertThat(next(ServiceHealth.class).seq()).isEqualTo(1);
        podman.cli("restart", "-t", "0", "rt");
        ServiceHealth dead = next(ServiceHealth.class);
        assertThat(dead.running()).isFalse();
        assertThat(dead.healthMessage()).isEqualTo("killed by SIGKILL");
        ServiceHealth again = next(ServiceHealth.class);
        assertThat(again.healthy()).isTrue();
        assertThat(again.seq()).isEqualTo(3);
        assertThat(again.incarnation()).isEqualTo(2);
    }

    @Test
    void whoever_kills_all_processes_of_the_user_makes_no_healthy_service_unhealthy() {
        podman.container("rt");
        start();
        health.define(Workspace.named("rt")
                        .id(ID)
                        .container("rt")
                        .user("user")
                        .healthCheck("sleep 0.2")
                        .startupGrace(Duration.ZERO)
                        .interval(Duration.ofSeconds(1)))
                .block(LONG);
        assertThat(next(ServiceHealth.class).healthy()).isTrue();
        for (int round = 0; round < 5; round++) {
            Instant killed = Instant.now();
            assertThat(podman.exitCode("exec", "--user", "user", "rt", "bash", "-c", "kill -9 -1"))
                    .isZero();
            assertThat(Flux.interval(Duration.ofMillis(50), Schedulers.boundedElastic())
                            .onBackpressureDrop()
                            .concatMap(tick -> health.current(ID))
                            .filter(status -> Objects.requireNonNull(
                                            status.health().lastResultAt())
                                    .isAfter(killed))
                            .next()
                            .blockOptional(LONG))
                    .isPresent();
        }
        assertThat(frames).noneMatch(ServiceHealth.class::isInstance);
        health.change(ID, draft -> draft.enabled(false)).block(LONG);
        assertThat(podman.processes("rt")).containsExactly("sleep infinity");
    }

    @Test
    void hanging_checks_time_out_round_after_round_and_leave_nothing() {
        podman.container("rt");
        start();
        define("trap '' TERM; sleep 3600", Duration.ofMillis(500));
        ServiceHealth unhealthy = next(ServiceHealth.class);
        assertThat(unhealthy.healthMessage()).isEqualTo("timed out after 500ms");
        for (int round = 0; round < 3; round++) {
            health.check(ID).block(LONG);
        }
        health.change(ID, draft -> draft.enabled(false)).block(LONG);
        assertThat(podman.processes("rt")).containsExactly("sleep infinity");
    }

    @Test
    void fifty_checks_at_once_with_a_short_timeout_all_pass_and_waiting_shows_as_delay() {
        podman.container("rt");
        start();
        List<WorkspaceId> ids =
                IntStream.range(0, 50).mapToObj(i -> new WorkspaceId("w" + i)).toList();
        Flux.fromIterable(ids)
                .concatMap(id -> health.define(Workspace.named(id.value())
                        .id(id)
                        .container("rt")
                        .healthCheck("true")
                        .startupGrace(Duration.ZERO)
                        .interval(Duration.ofHours(1))
                        .probe(ProbeKind.EXEC)
                        .timeout(SECOND)))
                .blockLast(LONG);
        List<CheckAnswer> answers = Flux.fromIterable(ids)
                .flatMap(health::check, ids.size())
                .collectList()
                .block(LONG);
        assertThat(answers)
                .hasSize(50)
                .allSatisfy(answer -> assertThat(
                                Objects.requireNonNull(answer.result()).outcome())
                        .isEqualTo(CheckOutcome.PASSED));
        assertThat(Objects.requireNonNull(answers).stream()
                        .map(CheckAnswer::startDelay)
                        .max(Duration::compareTo))
                .hasValueSatisfying(delay -> assertThat(delay).isGreaterThan(SECOND));
    }

    @Test
    void a_podman_that_dies_is_told_once_and_again_when_it_is_back_and_nobody_turns_unhealthy() {
        podman.container("rt");
        start();
        define("true", Duration.ofSeconds(5));
        assertThat(next(ServiceHealth.class).healthy()).isTrue();
        podman.killService();
        MonitorHealth down = next(MonitorHealth.class);
        assertThat(down.healthy()).isFalse();
        assertThat(down.message()).startsWith("Podman does not answer");
        assertThat(health.unready()).containsExactly("runtime");
        podman.startService();
        assertThat(next(MonitorHealth.class).healthy()).isTrue();
        podman.cli("kill", "rt");
        ServiceHealth dead = next(ServiceHealth.class);
        assertThat(dead.seq()).isEqualTo(2);
        assertThat(dead.running()).isFalse();
    }
}
