package org.klangk.health.transport.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.klangk.health.event.Component;
import org.klangk.health.frame.Frame;
import org.klangk.health.frame.FrameKind;
import org.klangk.health.frame.MonitorHealth;
import org.klangk.health.frame.Position;

class EncodeOnceTest {
    private final List<Frame> encoded = new ArrayList<>();
    private final EncodeOnce once = new EncodeOnce(frame -> {
        encoded.add(frame);
        return FrameJson.encode(frame);
    });

    private static Frame frame(long rev, FrameKind kind) {
        return new MonitorHealth(Component.RUNTIME, true, null, kind, new Position("E", rev));
    }

    @Test
    void a_late_frame_is_encoded_once_and_what_nobody_shares_each_time() {
        Frame late = frame(5_000, FrameKind.CHANGE);
        Frame behind = frame(100, FrameKind.CHANGE);
        Frame snapshot = frame(5_000, FrameKind.SNAPSHOT);
        for (Frame frame : List.of(late, late, behind, behind, snapshot, snapshot, late)) {
            assertThat(once.bytes(frame)).isEqualTo(FrameJson.encode(frame));
        }
        assertThat(encoded).containsExactly(late, behind, behind, snapshot, snapshot);
        assertThat(once.bytes(late)).isSameAs(once.bytes(late));
    }
}
