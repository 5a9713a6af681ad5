package org.klangk.health.stream;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.klangk.health.event.WorkspaceRemoved;
import org.klangk.health.frame.Frame;
import org.klangk.health.frame.Gone;
import org.klangk.health.frame.LoggedFrame;
import org.klangk.health.frame.Position;
import org.klangk.health.frame.ServiceHealth;
import org.klangk.health.frame.SnapshotEnd;
import org.klangk.health.frame.View;
import org.reactivestreams.Subscription;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.scheduler.Schedulers;
import reactor.test.StepVerifier;

/** What every subscriber gets. */
class LogStreamTest extends LogStreamFixture {
    @Test
    void a_snapshot_tells_how_things_are_and_then_that_it_is_complete() {
        define(0);
        define(1);
        flip(0, true);
        StepVerifier.create(stream.watch(WatchRequest.all()).take(3).collectMap(Frame::type, frame -> frame))
                .assertNext(frames -> {
                    assertThat(frames).hasSize(3);
                    assertThat(frames.values())
                            .anySatisfy(frame -> assertThat(frame).isInstanceOfSatisfying(SnapshotEnd.class, end -> {
                                assertThat(end.count()).isEqualTo(2);
                                assertThat(end.position()).isEqualTo(position());
                            }));
                })
                .verifyComplete();
        StepVerifier.create(stream.watch(WatchRequest.all().view(View.KLANGK)).take(1))
                .expectNextMatches(
                        frame -> frame instanceof ServiceHealth health && health.healthy() && health.seq() == 1)
                .verifyComplete();
    }

    @RepeatedTest(20)
    void nothing_falls_between_snapshot_and_first_change_while_everything_moves() throws InterruptedException {
        define(0);
        Thread mover = new Thread(() -> flips(1, 300));
        mover.start();
        List<List<Frame>> seen = Collections.synchronizedList(new ArrayList<>());
        CountDownLatch done = new CountDownLatch(8);
        for (int i = 0; i < 8; i++) {
            List<Frame> mine = Collections.synchronizedList(new ArrayList<>());
            seen.add(mine);
            stream.watch(WatchRequest.all())
                    .takeUntil(frame -> frame instanceof ServiceHealth health && health.seq() == 300)
                    .doFinally(end -> done.countDown())
                    .subscribe(mine::add);
        }
        mover.join();
        assertThat(done.await(20, TimeUnit.SECONDS)).isTrue();
        seen.forEach(LogStreamTest::assertGapless);
    }

    /** From the snapshot on every frame has the next number, and every verdict the next seq. */
    private static void assertGapless(List<Frame> frames) {
        long rev = -1;
        long seq = 0;
        for (Frame frame : frames) {
            if (frame instanceof SnapshotEnd end) {
                rev = end.position().rev();
            } else if (rev >= 0) {
                rev++;
                assertThat(frame.position().rev()).isEqualTo(rev);
            }
            if (frame instanceof ServiceHealth health) {
                if (seq > 0) {
                    assertThat(health.seq()).isEqualTo(seq + 1);
                }
                seq = health.seq();
            }
        }
    }

    @Test
    void a_subscriber_that_reads_slowly_misses_nothing_and_costs_the_others_nothing() {
        define(0);
        List<Frame> slow = new ArrayList<>();
        BaseSubscriber<Frame> reader = new BaseSubscriber<>() {
            @Override
            protected void hookOnSubscribe(Subscription subscription) {
                subscription.request(1);
            }

            @Override
            protected void hookOnNext(Frame frame) {
                synchronized (slow) {
                    slow.add(frame);
                }
            }
        };
        stream.watch(WatchRequest.all()).subscribe(reader);
        flips(1, 1000);
        long end = position().rev();
        assertThat(collect(WatchRequest.after(new Position(position().epoch(), end - 5)), end))
                .hasSize(5);
        synchronized (slow) {
            assertThat(slow).hasSizeLessThanOrEqualTo(1);
        }
        CountDownLatch caughtUp = new CountDownLatch(1);
        reader.request(2000);
        Schedulers.boundedElastic().schedule(() -> {
            boolean there = false;
            while (!there) {
                synchronized (slow) {
                    there = !slow.isEmpty()
                            && slow.get(slow.size() - 1).position().rev() == end
                            && slow.size() > 900;
                }
                Thread.onSpinWait();
            }
            caughtUp.countDown();
        });
        assertThat(await(caughtUp)).isTrue();
        synchronized (slow) {
            assertGapless(slow);
        }
        reader.cancel();
    }

    private static boolean await(CountDownLatch latch) {
        try {
            return latch.await(20, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            return false;
        }
    }

    @Test
    void resuming_anywhere_gives_exactly_what_came_after() {
        define(0);
        define(1);
        flips(2, 60);
        submit(new WorkspaceRemoved(clock.wall().get(), id(1)));
        Position end = position();
        List<Frame> whole = collect(WatchRequest.after(new Position(end.epoch(), 0)), end.rev());
        assertThat(whole).hasSize((int) end.rev());
        for (long rev = 0; rev < end.rev(); rev++) {
            assertThat(collect(WatchRequest.after(new Position(end.epoch(), rev)), end.rev()))
                    .isEqualTo(whole.subList((int) rev, whole.size()));
        }
    }

    @Test
    void a_position_that_cannot_be_resumed_is_gone_with_its_reason_and_a_snapshot_follows() {
        define(0);
        flips(1, KEPT + 100);
        Position end = position();
        Map<Position, Gone.Reason> cases = new HashMap<>();
        cases.put(new Position(end.epoch(), 1), Gone.Reason.COMPACTED);
        cases.put(new Position(end.epoch(), end.rev() - KEPT - 1), Gone.Reason.COMPACTED);
        cases.put(new Position("OTHER", 1), Gone.Reason.EPOCH_CHANGED);
        cases.put(new Position(end.epoch(), end.rev() + 1), Gone.Reason.FUTURE);
        cases.forEach((position, reason) -> StepVerifier.create(
                        stream.watch(WatchRequest.after(position)).take(3))
                .expectNextMatches(frame -> frame instanceof Gone gone && gone.reason() == reason)
                .expectNextMatches(LogStreamTest::isSnapshot)
                .expectNextMatches(SnapshotEnd.class::isInstance)
                .verifyComplete());
        assertThat(collect(WatchRequest.after(new Position(end.epoch(), end.rev() - KEPT)), end.rev()))
                .hasSize(KEPT);
    }

    @Test
    void what_a_subscriber_may_not_see_does_not_exist_for_it() {
        define(0);
        define(1);
        flips(2, 2);
        WatchRequest mine = WatchRequest.all().only(id -> id.equals(id(0)));
        List<Frame> frames = stream.watch(mine)
                .takeUntil(SnapshotEnd.class::isInstance)
                .collectList()
                .block(LONG);
        assertThat(frames).hasSize(2);
        List<Frame> later = new ArrayList<>();
        stream.watch(mine)
                .takeUntil(frame -> frame instanceof ServiceHealth health && health.seq() == 4)
                .subscribe(later::add);
        flips(2, 2);
        collect(
                WatchRequest.after(new Position(position().epoch(), position().rev() - 1)),
                position().rev());
        assertThat(later).noneMatch(frame -> frame instanceof LoggedFrame logged && id(1).equals(logged.workspaceId()));
    }

    @Test
    void cancelling_one_subscriber_leaves_the_others_alone() {
        define(0);
        reactor.core.Disposable one = stream.watch(WatchRequest.all()).subscribe();
        one.dispose();
        flips(1, 10);
        assertThat(collect(
                        WatchRequest.after(new Position(position().epoch(), 0)),
                        position().rev()))
                .hasSize((int) position().rev());
    }
}
