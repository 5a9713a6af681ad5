package org.klangk.health.stream;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.klangk.health.event.WorkspaceChanged;
import org.klangk.health.event.WorkspaceRemoved;
import org.klangk.health.frame.Bookmark;
import org.klangk.health.frame.Frame;
import org.klangk.health.frame.FrameKind;
import org.klangk.health.frame.Gone;
import org.klangk.health.frame.LoggedFrame;
import org.klangk.health.frame.Position;
import org.klangk.health.frame.ServiceHealth;
import org.klangk.health.frame.SnapshotEnd;
import org.klangk.health.frame.View;
import org.klangk.health.frame.WorkspaceRemovedFrame;
import org.klangk.health.frame.WorkspacesChanged;
import org.klangk.health.workspace.HealthDefaults;
import org.klangk.health.workspace.Viewer;
import org.klangk.health.workspace.Workspace;
import reactor.core.Disposable;

/** What those get who may not see everything. */
class RightsTest extends LogStreamFixture {
    private static final Viewer BOB = new Viewer("bob", false, null);

    private static WatchRequest as(Viewer viewer, WatchRequest request) {
        return request.by(viewer, null);
    }

    private void members(int i, String... members) {
        Workspace before =
                Objects.requireNonNull(writer.board().find(id(i))).health().workspace();
        submit(new WorkspaceChanged(
                clock.wall().get(), before.edit().members(Set.of(members)).resolve(HealthDefaults.standard())));
    }

    /** What a subscriber gets, one frame after the other. */
    private final class Watched {
        private final BlockingQueue<Frame> frames = new LinkedBlockingQueue<>();
        private final Disposable subscription;

        Watched(WatchRequest request) {
            subscription = stream.watch(request)
                    .filter(frame -> !(frame instanceof Bookmark))
                    .subscribe(frames::add);
        }

        Frame next() {
            try {
                @Nullable Frame frame = frames.poll(LONG.toSeconds(), TimeUnit.SECONDS);
                assertThat(frame).as("a frame came").isNotNull();
                return Objects.requireNonNull(frame);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }

        /** Everything up to now: the mark comes after it. */
        List<Frame> until(Class<? extends Frame> type) {
            List<Frame> got = new ArrayList<>();
            do {
                got.add(next());
            } while (!type.isInstance(got.get(got.size() - 1)));
            return got;
        }
    }

    @Test
    void a_member_gets_what_they_own_or_are_a_member_of_and_nothing_else() {
        define(0);
        define(1);
        members(1, "bob");
        flips(2, 2);
        Watched bob = new Watched(as(BOB, WatchRequest.all()));
        List<Frame> snapshot = bob.until(SnapshotEnd.class);
        assertThat(snapshot).hasSize(2).first().matches(frame -> id(1).equals(((LoggedFrame) frame).workspaceId()));
        assertThat(((SnapshotEnd) snapshot.get(1)).count()).isEqualTo(1);
        flips(2, 2);
        members(1, "bob", "carol");
        assertThat(bob.until(WorkspacesChanged.class))
                .hasSize(3)
                .allMatch(frame -> id(1).equals(((LoggedFrame) frame).workspaceId()));
        bob.subscription.dispose();
    }

    @Test
    void whoever_loses_sight_of_a_workspace_is_told_that_it_is_gone_and_hears_no_more_of_it() {
        define(0);
        define(1);
        members(0, "bob");
        members(1, "bob");
        Watched bob = new Watched(as(BOB, WatchRequest.all()));
        bob.until(SnapshotEnd.class);
        members(0);
        assertThat(bob.next()).isInstanceOfSatisfying(WorkspaceRemovedFrame.class, removed -> {
            assertThat(removed.workspaceId()).isEqualTo(id(0));
            assertThat(removed.reason()).isEqualTo("access");
        });
        flip(0, true);
        flip(1, true);
        assertThat(bob.next()).matches(frame -> id(1).equals(((LoggedFrame) frame).workspaceId()));
        bob.subscription.dispose();
    }

    @Test
    void in_klangks_view_too_but_there_the_list_is_to_be_read_again() {
        define(0);
        members(0, "bob");
        flip(0, true);
        Watched bob = new Watched(as(BOB, WatchRequest.all().view(View.KLANGK)));
        assertThat(bob.next()).isInstanceOf(ServiceHealth.class);
        members(0);
        assertThat(bob.next()).isInstanceOf(WorkspacesChanged.class);
        flip(0, false);
        define(1);
        members(1, "bob");
        flip(1, true);
        assertThat(bob.until(ServiceHealth.class))
                .noneMatch(frame -> frame instanceof ServiceHealth health
                        && health.workspaceId().equals(id(0)));
        bob.subscription.dispose();
    }

    @Test
    void whoever_gains_sight_of_a_workspace_gets_a_snapshot_with_it() {
        define(0);
        flip(0, true);
        Watched bob = new Watched(as(BOB, WatchRequest.all()));
        assertThat(bob.next()).isInstanceOf(SnapshotEnd.class);
        members(0, "bob");
        assertThat(bob.next()).matches(frame -> ((Gone) frame).reason() == Gone.Reason.RIGHTS_CHANGED);
        assertThat(bob.next())
                .matches(frame -> frame instanceof ServiceHealth health && health.kind() == FrameKind.SNAPSHOT);
        assertThat(bob.next()).isInstanceOf(SnapshotEnd.class);
        flip(0, false);
        assertThat(bob.next()).matches(frame -> frame instanceof ServiceHealth health && !health.healthy());
        bob.subscription.dispose();
    }

    @Test
    void a_position_from_before_a_change_of_rights_is_gone() {
        define(0);
        define(1);
        members(1, "bob");
        Position before = position();
        flip(0, true);
        members(0, "bob");
        assertThat(new Watched(as(BOB, WatchRequest.after(before))).next())
                .as("gained")
                .matches(frame -> ((Gone) frame).reason() == Gone.Reason.RIGHTS_CHANGED);
        Position between = position();
        members(0);
        assertThat(new Watched(as(BOB, WatchRequest.after(between))).next())
                .as("lost")
                .matches(frame -> ((Gone) frame).reason() == Gone.Reason.RIGHTS_CHANGED);
        Position after = position();
        flip(1, true);
        assertThat(new Watched(as(BOB, WatchRequest.after(after))).next())
                .as("nothing changed since")
                .isInstanceOf(ServiceHealth.class);
        assertThat(new Watched(WatchRequest.after(after).by(BOB, position())).next())
                .as("another role")
                .matches(frame -> ((Gone) frame).reason() == Gone.Reason.RIGHTS_CHANGED);
        assertThat(new Watched(WatchRequest.after(after).by(BOB, new Position("OLD", 1_000))).next())
                .as("another role in a log before this one")
                .isInstanceOf(ServiceHealth.class);
    }

    @Test
    void the_removal_of_a_workspace_is_told_to_those_who_saw_it() {
        define(0);
        define(1);
        members(0, "bob");
        Position before = position();
        submit(
                new WorkspaceRemoved(clock.wall().get(), id(1)),
                new WorkspaceRemoved(clock.wall().get(), id(0)));
        Watched bob = new Watched(as(BOB, WatchRequest.after(before)));
        assertThat(bob.until(WorkspacesChanged.class))
                .hasSize(2)
                .allMatch(frame -> id(0).equals(((LoggedFrame) frame).workspaceId()));
        Watched carol = new Watched(as(new Viewer("carol", false, null), WatchRequest.after(before)));
        define(2);
        members(2, "carol");
        assertThat(carol.next()).isInstanceOf(Gone.class);
    }

    @Test
    void a_confined_viewer_sees_only_what_is_named() {
        define(0);
        define(1);
        Viewer byName = new Viewer("local", true, Set.of("n1"));
        assertThat(new Watched(as(byName, WatchRequest.all())).until(SnapshotEnd.class))
                .hasSize(2)
                .first()
                .matches(frame -> id(1).equals(((LoggedFrame) frame).workspaceId()));
        Viewer notTheirs = new Viewer("bob", false, Set.of("n1"));
        assertThat(new Watched(as(notTheirs, WatchRequest.all())).next()).isInstanceOf(SnapshotEnd.class);
    }
}
