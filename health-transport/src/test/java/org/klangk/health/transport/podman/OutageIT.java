package org.klangk.health.transport.podman;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.klangk.health.frame.Frame;
import org.klangk.health.frame.MonitorHealth;
import org.klangk.health.frame.ServiceHealth;
import org.klangk.health.service.HealthService;
import org.klangk.health.service.WorkspaceStatus;
import org.klangk.health.stream.WatchRequest;
import org.klangk.health.workspace.Workspace;
import org.klangk.health.workspace.WorkspaceId;
import reactor.core.publisher.Flux;
import reactor.core.scheduler.Schedulers;

/** A Podman that hangs, dies, comes back or answers nonsense. */
@NeedsPodman
class OutageIT {
    private static final Duration LONG = Duration.ofSeconds(60);
    /** For a long run by hand: {@code -Dchaos.seconds=120}. */
    private static final int CHAOS_SECONDS = Integer.getInteger("chaos.seconds", 12);

    private static final int CONTAINERS = 5;

    @TempDir
    private Path folder = Path.of("replaced");

    private final TestPodman podman = TestPodman.get();
    private final Queue<Frame> frames = new ConcurrentLinkedQueue<>();
    private HealthService health = HealthService.builder()
            .runtime(PodmanRuntime.connect(podman.socket()))
            .build();

    private void start(Path socket) {
        health = HealthService.builder().runtime(PodmanRuntime.connect(socket)).build();
        health.start().block(LONG);
        health.stream().watch(WatchRequest.all()).subscribe(frames::add);
    }

    @AfterEach
    void stop() {
        health.stop().block(LONG);
        for (int i = 0; i < CONTAINERS; i++) {
            podman.remove("out" + i);
        }
    }

    private void define(String name, int container, String check, Duration interval) {
        health.define(Workspace.named(name)
                        .id(new WorkspaceId(name))
                        .container("out" + container)
                        .healthCheck(check)
                        .startupGrace(Duration.ZERO)
                        .interval(interval))
                .block(LONG);
    }

    private <F extends Frame> List<F> all(Class<F> type) {
        return frames.stream().filter(type::isInstance).map(type::cast).toList();
    }

    private void await(String what, Predicate<List<WorkspaceStatus>> reached) {
        assertThat(Flux.interval(Duration.ofMillis(50), Schedulers.boundedElastic())
                        .onBackpressureDrop()
                        .concatMap(tick -> health.list())
                        .filter(reached)
                        .next()
                        .blockOptional(LONG))
                .as(what)
                .isPresent();
    }

    private void awaitFrames(String what, Class<? extends Frame> type, int count) {
        await(what + " in " + frames, list -> all(type).size() >= count);
    }

    private List<String> verdicts() {
        return all(ServiceHealth.class).stream()
                .map(frame -> frame.name() + " " + frame.healthy() + " " + frame.running())
                .toList();
    }

    @Test
    void a_podman_that_hangs_is_told_once_and_everything_goes_on_when_it_does() {
        podman.container("out0");
        start(podman.socket());
        define("w", 0, "true", Duration.ofSeconds(1));
        awaitFrames("the first verdict", ServiceHealth.class, 1);
        podman.signalService("STOP");
        try {
            awaitFrames("the outage", MonitorHealth.class, 1);
        } finally {
            podman.signalService("CONT");
        }
        toldOnceAndOver();
        leavesNothing();
    }

    @ParameterizedTest
    @EnumSource(
            value = FrontDoor.Mode.class,
            names = {"GARBAGE", "REFUSE", "CLOSE", "SILENT"})
    void a_podman_that_answers_nonsense_is_told_once_and_makes_nobody_unhealthy(FrontDoor.Mode mode) {
        podman.container("out0");
        try (FrontDoor door = new FrontDoor(folder.resolve("front.sock"), podman.socket())) {
            start(door.path());
            define("w", 0, "true", Duration.ofSeconds(1));
            awaitFrames("the first verdict", ServiceHealth.class, 1);
            door.mode(mode);
            awaitFrames("the outage", MonitorHealth.class, 1);
            door.mode(FrontDoor.Mode.OPEN);
            toldOnceAndOver();
        }
        leavesNothing();
    }

    private void toldOnceAndOver() {
        awaitFrames("its end", MonitorHealth.class, 2);
        Instant back = Instant.now();
        await(
                "a new result",
                list -> Objects.requireNonNull(list.get(0).health().lastResultAt())
                        .isAfter(back));
        assertThat(all(MonitorHealth.class)).extracting(MonitorHealth::healthy).containsExactly(false, true);
        assertThat(verdicts()).containsExactly("w true true");
    }

    @Test
    void what_happened_while_the_stream_of_events_was_broken_is_told_when_it_is_back() {
        podman.container("out0");
        try (FrontDoor door = new FrontDoor(folder.resolve("front.sock"), podman.socket())) {
            start(door.path());
            define("w", 0, "true", Duration.ofSeconds(1));
            awaitFrames("the first verdict", ServiceHealth.class, 1);
            door.mode(FrontDoor.Mode.CLOSE);
            podman.cli("kill", "out0");
            podman.cli("wait", "out0");
            door.mode(FrontDoor.Mode.OPEN);
            awaitFrames("the death", ServiceHealth.class, 2);
            assertThat(verdicts()).containsExactly("w true true", "w false false");
            assertThat(all(ServiceHealth.class).get(1).healthMessage()).isEqualTo("killed by SIGKILL");
        }
    }

    @Test
    void a_podman_that_restarts_every_five_seconds_makes_no_false_frame_and_leaves_nothing() {
        for (int i = 0; i < CONTAINERS; i++) {
            podman.container("out" + i);
        }
        start(podman.socket());
        Duration interval = Duration.ofSeconds(10);
        Map<String, Boolean> truth = new HashMap<>();
        for (int i = 0; i < 50; i++) {
            boolean good = i % 5 != 0;
            truth.put("w" + i, good);
            define("w" + i, i % CONTAINERS, good ? "true" : "exit 3", interval);
        }
        awaitFrames("every verdict", ServiceHealth.class, 50);
        for (int round = 0; round < CHAOS_SECONDS / 5; round++) {
            podman.killService();
            Flux.interval(Duration.ofSeconds(1)).blockFirst(LONG);
            podman.startService();
            Flux.interval(Duration.ofSeconds(4)).blockFirst(LONG);
        }
        Instant steady = Instant.now();
        await(
                "a result of every workspace",
                list -> list.stream()
                        .allMatch(one -> Objects.requireNonNull(one.health().lastResultAt())
                                .isAfter(steady)));
        assertThat(Duration.between(steady, Instant.now())).isLessThan(interval.plus(interval.dividedBy(2)));
        List<ServiceHealth> told = all(ServiceHealth.class);
        assertThat(told)
                .hasSize(50)
                .allSatisfy(frame -> assertThat(frame.healthy()).isEqualTo(truth.get(frame.name())));
        List<Boolean> outages = new ArrayList<>(
                all(MonitorHealth.class).stream().map(MonitorHealth::healthy).toList());
        assertThat(outages).hasSize(2 * (CHAOS_SECONDS / 5));
        leavesNothing();
    }

    private void leavesNothing() {
        health.list()
                .flatMapIterable(all -> all)
                .concatMap(one -> health.remove(one.health().id()))
                .blockLast(LONG);
        podman.cli("ps", "--format", "{{.Names}}")
                .lines()
                .filter(name -> name.startsWith("out"))
                .forEach(name -> assertThat(podman.processes(name)).as(name).containsExactly("sleep infinity"));
    }
}
