package org.klangk.health.transport.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.klangk.health.event.CheckOutcome;
import org.klangk.health.frame.Bookmark;
import org.klangk.health.frame.FrameKind;
import org.klangk.health.frame.Gone;
import org.klangk.health.frame.Position;
import org.klangk.health.frame.ServiceHealth;
import org.klangk.health.frame.SnapshotEnd;
import org.klangk.health.frame.WorkspaceRemovedFrame;
import org.klangk.health.frame.WorkspacesChanged;
import org.klangk.health.state.HealthState;
import org.klangk.health.workspace.WorkspaceId;

class ProgressTest {
    private static final WorkspaceId ID = new WorkspaceId("w1");
    private final Progress progress = new Progress(null);

    private static Position at(long rev) {
        return new Position("E", rev);
    }

    private static ServiceHealth verdict(FrameKind kind, long seq, long rev) {
        Instant then = Instant.parse("2026-11-30T10:00:00Z");
        return new ServiceHealth(
                ID,
                true,
                null,
                true,
                then,
                seq,
                kind,
                "w",
                HealthState.HEALTHY,
                then,
                CheckOutcome.PASSED,
                0,
                1,
                at(rev));
    }

    @Test
    void a_snapshot_gives_a_place_when_it_is_whole() {
        progress.take(verdict(FrameKind.SNAPSHOT, 3, 7));
        assertThat(progress.position()).isNull();
        progress.take(new SnapshotEnd(at(9), 1));
        assertThat(progress.position()).isEqualTo(at(9));
        progress.take(verdict(FrameKind.CHANGE, 4, 10));
        progress.take(new Bookmark(at(12)));
        assertThat(progress.position()).isEqualTo(at(12));
    }

    @Test
    void a_missed_or_repeated_verdict_is_found_out_and_only_a_snapshot_will_do() {
        for (long seq : new long[] {3, 5, 1}) {
            Progress one = new Progress(null);
            one.take(verdict(FrameKind.SNAPSHOT, 3, 7));
            one.take(new SnapshotEnd(at(9), 1));
            assertThatThrownBy(() -> one.take(verdict(FrameKind.CHANGE, seq, 10)))
                    .isInstanceOf(BrokenLinkException.class)
                    .hasMessage("verdict " + seq + " of w1 came after 3");
            assertThat(one.position()).isNull();
        }
    }

    @Test
    void a_frame_out_of_order_or_of_another_log_is_found_out() {
        Progress one = new Progress(at(9));
        assertThatThrownBy(() -> one.take(new WorkspacesChanged(ID, null, null, at(9))))
                .isInstanceOf(BrokenLinkException.class)
                .hasMessage("frame E.9 came after E.9");
        Progress other = new Progress(at(9));
        assertThatThrownBy(() -> other.take(new WorkspacesChanged(ID, null, null, new Position("F", 10))))
                .isInstanceOf(BrokenLinkException.class);
    }

    @Test
    void what_is_gone_begins_anew_and_so_does_a_removed_workspace() {
        progress.take(verdict(FrameKind.SNAPSHOT, 3, 7));
        progress.take(new SnapshotEnd(at(9), 1));
        progress.take(new WorkspaceRemovedFrame(ID, "deleted", null, at(10)));
        progress.take(verdict(FrameKind.CHANGE, 1, 11));
        progress.take(new Gone(Gone.Reason.EPOCH_CHANGED, at(1)));
        assertThat(progress.position()).isNull();
        progress.take(verdict(FrameKind.SNAPSHOT, 8, 2));
        progress.take(new SnapshotEnd(at(2), 1));
        progress.take(verdict(FrameKind.CHANGE, 9, 3));
        assertThat(progress.position()).isEqualTo(at(3));
    }

    @Test
    void links_are_made_again_after_a_wait_that_grows_to_a_minute_and_is_any_part_of_it() {
        assertThat(IntStream.range(0, 1000)
                        .mapToLong(i -> RemoteHealthStream.wait(0).toMillis()))
                .allMatch(wait -> wait >= 0 && wait <= 500)
                .anyMatch(wait -> wait < 100)
                .anyMatch(wait -> wait > 400);
        for (int failures : new int[] {7, 20, 1_000_000}) {
            assertThat(IntStream.range(0, 1000)
                            .mapToLong(i -> RemoteHealthStream.wait(failures).toMillis()))
                    .allMatch(wait -> wait >= 0 && wait <= 60_000)
                    .anyMatch(wait -> wait > 50_000);
        }
    }
}
