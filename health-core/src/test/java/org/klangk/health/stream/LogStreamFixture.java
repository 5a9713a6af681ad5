package org.klangk.health.stream;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.klangk.health.event.CheckCompleted;
import org.klangk.health.event.CheckOutcome;
import org.klangk.health.event.CheckResult;
import org.klangk.health.event.ContainerRun;
import org.klangk.health.event.ContainerStarted;
import org.klangk.health.event.HealthEvent;
import org.klangk.health.event.WorkspaceDefined;
import org.klangk.health.frame.Frame;
import org.klangk.health.frame.Gone;
import org.klangk.health.frame.LoggedFrame;
import org.klangk.health.frame.Position;
import org.klangk.health.journal.Journal;
import org.klangk.health.journal.JournalWindow;
import org.klangk.health.time.HealthClock;
import org.klangk.health.workspace.HealthDefaults;
import org.klangk.health.workspace.Workspace;
import org.klangk.health.workspace.WorkspaceId;
import org.klangk.health.writer.Decision;
import org.klangk.health.writer.Writer;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/** A stream over a real writer on real threads, with a small tail and a small journal, so that every road is taken. */
abstract class LogStreamFixture {
    static final Duration LONG = Duration.ofSeconds(20);
    static final int TAIL = 16;
    static final int KEPT = 5_000;

    final Scheduler writerThread = Schedulers.newSingle("writer");
    final Journal journal = JournalWindow.of(100, KEPT);
    final HealthClock clock = HealthClock.system();
    final Writer writer = new Writer(journal, clock, writerThread);
    final LogStream stream = new LogStream(writer, clock, Schedulers.parallel(), TAIL);
    long run;

    @BeforeEach
    void open() {
        stream.startAt(Objects.requireNonNull(writer.open().block(LONG)).known().position());
    }

    @AfterEach
    void close() {
        writer.close().block(LONG);
        stream.complete();
        writerThread.dispose();
    }

    static WorkspaceId id(int i) {
        return new WorkspaceId("w" + i);
    }

    void submit(HealthEvent... events) {
        writer.submit((board, stamp) -> Decision.of(List.of(events), true)).block(LONG);
    }

    void define(int i) {
        Workspace workspace = Workspace.named("n" + i)
                .id(id(i))
                .healthCheck("true")
                .startupGrace(Duration.ZERO)
                .resolve(HealthDefaults.standard());
        Instant now = clock.wall().get();
        submit(
                new WorkspaceDefined(now, workspace),
                new ContainerStarted(now, id(i), new ContainerRun("c", Instant.EPOCH), now));
    }

    void flip(int i, boolean healthy) {
        Instant now = clock.wall().get();
        run++;
        CheckResult result = healthy
                ? new CheckResult(CheckOutcome.PASSED, 0, null)
                : new CheckResult(CheckOutcome.FAILED, 1, "exited 1");
        submit(new CheckCompleted(now, id(i), 1, 1, run, now, Duration.ZERO, Duration.ZERO, false, result));
    }

    void flips(int workspaces, int rounds) {
        for (int round = 0; round < rounds; round++) {
            for (int i = 0; i < workspaces; i++) {
                flip(i, round % 2 == 0);
            }
        }
    }

    Position position() {
        return writer.board().position();
    }

    /** Frames up to and including the one at {@code rev}. */
    List<Frame> collect(WatchRequest request, long rev) {
        return Objects.requireNonNull(stream.watch(request)
                .takeUntil(frame -> frame.position().rev() >= rev && !isSnapshot(frame))
                .collectList()
                .block(LONG));
    }

    static boolean isSnapshot(Frame frame) {
        return frame instanceof Gone
                || (frame instanceof LoggedFrame logged && logged.kind() == org.klangk.health.frame.FrameKind.SNAPSHOT);
    }
}
