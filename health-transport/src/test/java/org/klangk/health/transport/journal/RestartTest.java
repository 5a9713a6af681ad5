package org.klangk.health.transport.journal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.klangk.health.event.StopCause;
import org.klangk.health.frame.ContainerStatus;
import org.klangk.health.frame.Frame;
import org.klangk.health.frame.FrameType;
import org.klangk.health.frame.Gone;
import org.klangk.health.frame.LoggedFrame;
import org.klangk.health.frame.Position;
import org.klangk.health.frame.ServiceHealth;
import org.klangk.health.frame.SnapshotEnd;
import org.klangk.health.frame.WorkspaceRemovedFrame;
import org.klangk.health.probe.ProbeRequest;
import org.klangk.health.probe.ProbeResult;
import org.klangk.health.service.HealthService;
import org.klangk.health.service.WorkspaceStatus;
import org.klangk.health.state.HealthState;
import org.klangk.health.stream.WatchRequest;
import org.klangk.health.testing.ScriptedRuntime;
import org.klangk.health.time.HealthClock;
import org.klangk.health.workspace.Workspace;
import org.klangk.health.workspace.WorkspaceDraft;
import org.klangk.health.workspace.WorkspaceId;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** A monitor ends and another goes on with its journal; its containers are those of a script. */
@Tag("long")
class RestartTest {
    private static final Duration LONG = Duration.ofSeconds(20);
    private static final Instant STARTED = Instant.parse("2026-11-30T10:00:00Z");

    /** How the first one ends. */
    enum End {
        STOPPED,
        KILLED
    }

    @TempDir
    private Path temp;

    private final List<HealthService> services = new ArrayList<>();
    private ScriptedRuntime runtime = new ScriptedRuntime();
    private Path directory;
    private HealthService health;
    private Duration later = Duration.ZERO;

    @AfterEach
    void stop() {
        services.forEach(service -> service.stop().block(LONG));
    }

    @BeforeEach
    void begin() {
        directory = temp.resolve("data");
        health = start(directory);
    }

    private HealthService start(Path data) {
        Duration offset = later;
        HealthClock system = HealthClock.system();
        HealthService service = HealthService.builder()
                .runtime(runtime)
                .journal(SqliteJournal.in(data, Retention.standard(), 20))
                .clock(new HealthClock(() -> system.wall().get().plus(offset), system.nanos()))
                .build();
        service.start().block(LONG);
        services.add(service);
        return service;
    }

    /** Another one takes over; {@code meanwhile} is what happens to the containers while there is none. */
    private void restart(End end, Function<ProbeRequest, Mono<ProbeResult>> checks, Runnable meanwhile)
            throws IOException {
        Path next = directory;
        if (end == End.STOPPED) {
            services.remove(health);
            health.stop().block(LONG);
        } else {
            // What a kill leaves on the disk; the first one goes on with what it has and is not asked any more.
            next = temp.resolve("data-" + services.size());
            Files.createDirectories(next);
            try (Stream<Path> files = Files.list(directory)) {
                for (Path file : files.toList()) {
                    Files.copy(file, next.resolve(file.getFileName().toString()));
                }
            }
        }
        ScriptedRuntime before = runtime;
        runtime = new ScriptedRuntime();
        runtime.takeOver(before);
        runtime.answer(checks);
        meanwhile.run();
        directory = next;
        health = start(next);
    }

    private static WorkspaceDraft workspace(int i) {
        return Workspace.named("n" + i)
                .id(new WorkspaceId("w" + i))
                .container("c" + i)
                .healthCheck("true")
                .startupGrace(Duration.ZERO)
                .interval(Duration.ofSeconds(1));
    }

    private void define(int i) {
        runtime.start("c" + i, STARTED);
        health.define(workspace(i)).block(LONG);
    }

    private static Mono<ProbeResult> evenOnesPass(ProbeRequest request) {
        int number = Integer.parseInt(request.workspaceId().value().substring(1));
        return Mono.just(number % 2 == 0 ? ScriptedRuntime.passed() : ScriptedRuntime.failed());
    }

    private WorkspaceStatus status(int i) {
        return Objects.requireNonNull(health.current(new WorkspaceId("w" + i)).block(LONG));
    }

    private void await(int i, HealthState state) {
        await(i, status -> status.state().state() == state);
    }

    private void await(int i, Predicate<WorkspaceStatus> wanted) {
        health.stream()
                .watch(WatchRequest.all())
                .concatMap(frame -> health.current(new WorkspaceId("w" + i)))
                .takeUntil(wanted)
                .blockLast(LONG);
    }

    /** Waits until each of so many workspaces had a result of this service's. */
    private void awaitResults(int workspaces) {
        Instant from = Instant.now().plus(later);
        Flux.interval(Duration.ofMillis(20))
                .onBackpressureDrop()
                .concatMap(tick -> health.list())
                .takeUntil(all -> all.size() == workspaces
                        && all.stream().allMatch(one -> isAfter(one.health().lastResultAt(), from)))
                .blockLast(LONG);
    }

    private static boolean isAfter(@Nullable Instant at, Instant from) {
        return at != null && at.isAfter(from);
    }

    private List<Frame> since(Position position) {
        return Objects.requireNonNull(health.stream()
                .watch(WatchRequest.after(position))
                .takeUntil(frame -> frame.position().rev() >= health.position().rev() && !(frame instanceof Gone))
                .collectList()
                .block(LONG));
    }

    @ParameterizedTest
    @EnumSource
    void a_restart_keeps_every_verdict_with_its_age_and_nobody_hears_of_it(End end) throws IOException {
        runtime.answer(RestartTest::evenOnesPass);
        for (int i = 0; i < 20; i++) {
            define(i);
        }
        awaitResults(20);
        Position before = health.position();
        List<WorkspaceStatus> known = list();
        restart(end, RestartTest::evenOnesPass, () -> {});
        List<WorkspaceStatus> first = list();
        assertThat(first).hasSize(20);
        for (int i = 0; i < 20; i++) {
            assertThat(first.get(i).state()).isEqualTo(known.get(i).state());
            assertThat(first.get(i).told()).isEqualTo(known.get(i).told());
            assertThat(first.get(i).health().verdict().healthy())
                    .isEqualTo(known.get(i).health().verdict().healthy());
            assertThat(first.get(i).health().verdict().checkedAt())
                    .isAfterOrEqualTo(known.get(i).health().verdict().checkedAt());
        }
        awaitResults(20);
        assertThat(health.position()).isEqualTo(before);
        assertThat(runtime.requests()).hasSizeGreaterThanOrEqualTo(20);
    }

    private List<WorkspaceStatus> list() {
        return Objects.requireNonNull(health.list().block(LONG));
    }

    @Test
    void a_streak_goes_on_after_a_restart() throws IOException {
        ConcurrentHashMap<String, Integer> checks = new ConcurrentHashMap<>();
        runtime.answer(request -> Mono.just(
                checks.merge("n", 1, Integer::sum) == 1 ? ScriptedRuntime.passed() : ScriptedRuntime.failed()));
        runtime.start("c0", STARTED);
        health.define(workspace(0).failuresBeforeUnhealthy(4)).block(LONG);
        Flux.interval(Duration.ofMillis(10))
                .onBackpressureDrop()
                .concatMap(tick -> health.check(new WorkspaceId("w0")))
                .concatMap(answer -> health.current(new WorkspaceId("w0")))
                .map(status -> status.health().verdict().streak())
                .takeUntil(streak -> !streak.passed() && streak.count() == 2)
                .blockLast(LONG);
        Position before = health.position();
        restart(End.KILLED, request -> Mono.just(ScriptedRuntime.failed()), () -> {});
        assertThat(status(0).health().verdict().streak().count()).isEqualTo(2);
        await(0, HealthState.UNHEALTHY);
        assertThat(status(0).health().verdict().streak().count()).isEqualTo(4);
        assertThat(since(before))
                .singleElement()
                .isInstanceOfSatisfying(
                        ServiceHealth.class, frame -> assertThat(frame.seq()).isEqualTo(2));
    }

    @Test
    void a_container_that_died_meanwhile_is_told_with_its_own_time_and_cause() throws IOException {
        define(0);
        await(0, HealthState.HEALTHY);
        Position before = health.position();
        Instant died = Instant.now().truncatedTo(ChronoUnit.MILLIS);
        restart(End.KILLED, RestartTest::evenOnesPass, () -> runtime.die("c0", StopCause.exited(3), died));
        await(0, HealthState.STOPPED);
        assertThat(since(before).get(0)).isInstanceOfSatisfying(ServiceHealth.class, frame -> {
            assertThat(frame.running()).isFalse();
            assertThat(frame.seq()).isEqualTo(2);
            assertThat(frame.healthMessage()).isEqualTo("exited 3");
            assertThat(frame.since()).isEqualTo(died);
        });
        assertThat(status(0).state().since()).isEqualTo(died);
    }

    @Test
    void a_container_that_went_meanwhile_is_told_as_far_as_it_is_known() throws IOException {
        define(0);
        define(2);
        await(0, HealthState.HEALTHY);
        await(2, HealthState.HEALTHY);
        Position before = health.position();
        restart(End.KILLED, RestartTest::evenOnesPass, () -> {
            runtime.remove("c0");
            runtime.remove("c2");
            runtime.start("c2", Instant.now());
        });
        await(0, HealthState.STOPPED);
        await(2, status -> status.told().seq() == 3);
        List<Frame> told = since(before);
        assertThat(told)
                .filteredOn(frame -> frame instanceof ServiceHealth died && !died.running())
                .hasSize(2)
                .allSatisfy(frame -> assertThat(((ServiceHealth) frame).healthMessage())
                        .matches("stopped between \\S+Z and \\S+Z, cause unknown"));
        assertThat(told)
                .filteredOn(frame -> frame instanceof ContainerStatus started && started.running())
                .hasSize(1);
        assertThat(status(2).health().container().incarnation()).isEqualTo(2);
        assertThat(status(2).told().seq()).isEqualTo(3);
    }

    @Test
    void a_verdict_that_grew_old_meanwhile_is_shown_as_stale_and_comes_back_without_a_frame() throws IOException {
        define(0);
        define(1);
        runtime.answer(RestartTest::evenOnesPass);
        await(0, HealthState.HEALTHY);
        await(1, HealthState.UNHEALTHY);
        later = Duration.ofHours(1);
        Position before = health.position();
        restart(End.STOPPED, RestartTest::evenOnesPass, () -> {});
        List<WorkspaceStatus> first = list();
        assertThat(first).allSatisfy(one -> assertThat(one.state().state()).isEqualTo(HealthState.STALE));
        assertThat(first.get(0).health().verdict().healthy()).isTrue();
        assertThat(first.get(1).health().verdict().healthy()).isFalse();
        awaitResults(2);
        assertThat(status(0).state().state()).isEqualTo(HealthState.HEALTHY);
        assertThat(status(1).state().state()).isEqualTo(HealthState.UNHEALTHY);
        assertThat(health.position()).isEqualTo(before);
    }

    @Test
    void grace_goes_on_from_where_it_began() throws IOException {
        runtime.start("c1", Instant.now());
        runtime.answer(RestartTest::evenOnesPass);
        health.define(workspace(1).startupGrace(Duration.ofHours(1)).startInterval(Duration.ofMillis(100)))
                .block(LONG);
        await(1, HealthState.STARTING);
        Position before = health.position();
        restart(End.KILLED, RestartTest::evenOnesPass, () -> {});
        awaitResults(1);
        assertThat(status(1).state().state()).isEqualTo(HealthState.STARTING);
        assertThat(health.position()).isEqualTo(before);
    }

    @Test
    void whoever_was_away_learns_of_what_was_deleted() throws IOException {
        define(0);
        define(2);
        await(0, HealthState.HEALTHY);
        await(2, HealthState.HEALTHY);
        Position before = health.position();
        health.remove(new WorkspaceId("w0")).block(LONG);
        restart(End.KILLED, RestartTest::evenOnesPass, () -> {});
        assertThat(since(before))
                .extracting(Frame::type)
                .containsExactly(FrameType.WORKSPACE_REMOVED, FrameType.WORKSPACES_CHANGED);
        assertThat(since(before).get(0))
                .isInstanceOfSatisfying(
                        WorkspaceRemovedFrame.class,
                        frame -> assertThat(frame.workspaceId().value()).isEqualTo("w0"));
        assertThat(health.stream()
                        .watch(WatchRequest.all())
                        .takeUntil(SnapshotEnd.class::isInstance)
                        .collectList()
                        .block(LONG))
                .filteredOn(LoggedFrame.class::isInstance)
                .allSatisfy(
                        frame -> assertThat(((LoggedFrame) frame).workspaceId()).isEqualTo(new WorkspaceId("w2")));
    }

    @Test
    void a_place_that_the_log_does_not_have_is_gone_with_the_reason() throws IOException {
        define(0);
        await(0, HealthState.HEALTHY);
        restart(End.STOPPED, RestartTest::evenOnesPass, () -> {});
        Position now = health.position();
        assertThat(reason(new Position(now.epoch(), now.rev() + 1))).isEqualTo(Gone.Reason.FUTURE);
        assertThat(reason(new Position("OTHER", 1))).isEqualTo(Gone.Reason.EPOCH_CHANGED);
    }

    private Gone.Reason reason(Position position) {
        List<Frame> frames = Objects.requireNonNull(health.stream()
                .watch(WatchRequest.after(position))
                .takeUntil(SnapshotEnd.class::isInstance)
                .collectList()
                .block(LONG));
        assertThat(frames).hasSize(3);
        return ((Gone) frames.get(0)).reason();
    }

    @ParameterizedTest
    @EnumSource(End.class)
    void a_service_whose_start_nobody_wrote_down_is_asked_for_again(End end) throws IOException {
        runtime.serving(workspace -> Mono.never());
        runtime.start("c0", STARTED);
        health.define(workspace(0).serviceCommand("serve")).block(LONG);
        restart(end, RestartTest::evenOnesPass, () -> runtime.serving(workspace -> Mono.just(false)));
        Flux.interval(Duration.ofMillis(20))
                .onBackpressureDrop()
                .concatMap(tick -> health.list())
                .takeUntil(all -> all.get(0).health().container().serviceStartedAt() != null)
                .blockLast(LONG);
        assertThat(runtime.served()).hasSize(1);
        restart(end, RestartTest::evenOnesPass, () -> {});
        awaitResults(1);
        assertThat(runtime.served()).as("it is known now").isEmpty();
    }
}
