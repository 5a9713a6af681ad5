package org.klangk.health.transport.client;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.klangk.health.frame.Bookmark;
import org.klangk.health.frame.Frame;
import org.klangk.health.frame.FrameKind;
import org.klangk.health.frame.Gone;
import org.klangk.health.frame.LoggedFrame;
import org.klangk.health.frame.Position;
import org.klangk.health.frame.ServiceHealth;
import org.klangk.health.frame.SnapshotEnd;
import org.klangk.health.frame.WorkspaceRemovedFrame;
import org.klangk.health.workspace.WorkspaceId;

/**
 * How far one subscriber has come, over all the links it had: where to go on, and whether what comes can be what follows. Not
 * thread-safe.
 */
final class Progress {
    private final Map<WorkspaceId, Long> seqs = new HashMap<>();
    private @Nullable Position position;

    /** @param after where it begins, null for a snapshot */
    Progress(@Nullable Position after) {
        position = after;
    }

    /** From where to go on; null where only a snapshot will do. */
    @Nullable
    Position position() {
        return position;
    }

    /**
     * Takes the next frame.
     *
     * @throws BrokenLinkException when it cannot be the next one; then only a snapshot will do
     */
    void take(Frame frame) {
        if (frame instanceof Gone) {
            startAnew();
        } else if (frame instanceof LoggedFrame logged) {
            if (logged.kind() == FrameKind.CHANGE) {
                follows(logged);
                position = logged.position();
            }
            counts(logged);
        } else if (frame instanceof SnapshotEnd || frame instanceof Bookmark) {
            position = frame.position();
        }
    }

    private void startAnew() {
        position = null;
        seqs.clear();
    }

    private void follows(LoggedFrame frame) {
        Position before = position;
        if (before != null
                && (!before.epoch().equals(frame.position().epoch())
                        || before.rev() >= frame.position().rev())) {
            startAnew();
            throw new BrokenLinkException("frame " + frame.position() + " came after " + before);
        }
    }

    private void counts(LoggedFrame frame) {
        if (frame instanceof WorkspaceRemovedFrame removed) {
            seqs.remove(removed.workspaceId());
        } else if (frame instanceof ServiceHealth verdict) {
            Long before = seqs.put(verdict.workspaceId(), verdict.seq());
            if (verdict.kind() == FrameKind.CHANGE && before != null && verdict.seq() != before + 1) {
                startAnew();
                throw new BrokenLinkException(
                        "verdict " + verdict.seq() + " of " + verdict.workspaceId() + " came after " + before);
            }
        }
    }
}
