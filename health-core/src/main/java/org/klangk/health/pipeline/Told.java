package org.klangk.health.pipeline;

import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.klangk.health.frame.LoggedFrame;
import org.klangk.health.frame.ServiceHealth;
import org.klangk.health.frame.WorkspaceStateFrame;
import org.klangk.health.frame.WorkspacesChanged;
import org.klangk.health.state.HealthState;
import org.klangk.health.state.StateSince;

/**
 * What subscribers were last told of a workspace. Whether there is something to tell is the difference to this.
 *
 * @param seq number of its last {@code service_health} frame, 0 before the first
 * @param healthy the verdict as told for this incarnation, null before the first
 * @param state the state as told, null before the first
 * @param reason its reason
 * @param rev the last frame about this workspace
 * @param healthRev its last {@code service_health} frame
 * @param audienceRev the frame that told that others may see it than before, 0 when that never changed
 */
public record Told(
        long seq,
        @Nullable Boolean healthy,
        @Nullable HealthState state,
        @Nullable String reason,
        long rev,
        long healthRev,
        long audienceRev) {
    /** Before anything was told. */
    public static final Told NOTHING = new Told(0, null, null, null, 0, 0, 0);

    Told health(boolean newHealthy, HealthState newState) {
        return new Told(seq + 1, newHealthy, newState, null, rev, healthRev, audienceRev);
    }

    /** The terminal frame of an incarnation: the next one has been told nothing. */
    Told died() {
        return new Told(seq + 1, null, HealthState.STOPPED, null, rev, healthRev, audienceRev);
    }

    Told state(StateSince now) {
        return new Told(seq, healthy, now.state(), now.reason(), rev, healthRev, audienceRev);
    }

    /** This frame, numbered, was told. */
    Told at(LoggedFrame frame) {
        long newRev = frame.position().rev();
        return new Told(
                seq,
                healthy,
                state,
                reason,
                newRev,
                frame instanceof ServiceHealth ? newRev : healthRev,
                frame instanceof WorkspacesChanged changed && changed.changesAudience() ? newRev : audienceRev);
    }

    /** What was told once {@code frame} is told too: how this comes back from a log. */
    Told and(LoggedFrame frame) {
        if (frame instanceof ServiceHealth health) {
            Told next = health.running() ? health(health.healthy(), health.state()) : died();
            return new Told(health.seq(), next.healthy, next.state, next.reason, rev, healthRev, audienceRev).at(frame);
        }
        Told next = frame instanceof WorkspaceStateFrame shown
                ? new Told(seq, healthy, shown.state(), shown.reason(), rev, healthRev, audienceRev)
                : this;
        return next.at(frame);
    }

    boolean says(StateSince now) {
        return state == now.state() && Objects.equals(reason, now.reason());
    }
}
