package org.klangk.health.transport.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.klangk.health.event.CheckOutcome;
import org.klangk.health.event.Component;
import org.klangk.health.frame.Bookmark;
import org.klangk.health.frame.ContainerStatus;
import org.klangk.health.frame.Frame;
import org.klangk.health.frame.FrameKind;
import org.klangk.health.frame.Gone;
import org.klangk.health.frame.Heartbeat;
import org.klangk.health.frame.LoggedFrame;
import org.klangk.health.frame.MonitorHealth;
import org.klangk.health.frame.Position;
import org.klangk.health.frame.ServiceHealth;
import org.klangk.health.frame.SnapshotEnd;
import org.klangk.health.frame.WorkspaceRemovedFrame;
import org.klangk.health.frame.WorkspaceStateFrame;
import org.klangk.health.frame.WorkspacesChanged;
import org.klangk.health.state.HealthState;
import org.klangk.health.workspace.Audience;
import org.klangk.health.workspace.WorkspaceId;

class FrameReaderTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final WorkspaceId ID = new WorkspaceId("w1");
    private static final Position AT = new Position("01JDQ2", 4711);
    private static final Instant THEN = Instant.parse("2026-11-30T10:15:30.123Z");

    static Stream<Frame> every_frame() {
        return Stream.of(
                new ServiceHealth(
                        ID,
                        false,
                        "exited 7: häß \"quoted\"",
                        true,
                        THEN,
                        12,
                        FrameKind.CHANGE,
                        "gateway",
                        HealthState.UNHEALTHY,
                        THEN,
                        CheckOutcome.FAILED,
                        7,
                        3,
                        AT),
                new ServiceHealth(
                        ID,
                        false,
                        null,
                        false,
                        null,
                        1,
                        FrameKind.SNAPSHOT,
                        "g",
                        HealthState.STOPPED,
                        THEN,
                        null,
                        null,
                        1,
                        AT),
                new ContainerStatus(ID, true, "abc", AT),
                new WorkspacesChanged(ID, null, null, AT),
                new WorkspaceStateFrame(ID, HealthState.NOT_CHECKED, "paused", THEN, FrameKind.CHANGE, AT),
                new WorkspaceStateFrame(ID, HealthState.STALE, null, THEN, FrameKind.SNAPSHOT, AT),
                new WorkspaceRemovedFrame(ID, "deleted", null, AT),
                new MonitorHealth(Component.RUNTIME, false, "Podman does not answer", FrameKind.CHANGE, AT),
                new MonitorHealth(Component.RUNTIME, true, null, FrameKind.CHANGE, AT),
                new Heartbeat(THEN, AT, Duration.ofSeconds(5), 10, 2, Duration.ofMillis(7)),
                new SnapshotEnd(AT, 3),
                new Bookmark(AT),
                new Gone(Gone.Reason.COMPACTED, AT));
    }

    @Test
    void who_may_see_a_workspace_is_kept_and_never_sent() throws IOException {
        Audience was = new Audience("g", "alice", Set.of("bob", "carol"));
        Audience is = new Audience("g", "alice", Set.of());
        List<LoggedFrame> frames = List.of(
                new WorkspacesChanged(ID, was, is, AT),
                new WorkspacesChanged(ID, null, is, AT),
                new WorkspaceRemovedFrame(ID, "deleted", was, AT));
        for (LoggedFrame frame : frames) {
            assertThat(FrameReader.read(JSON.readTree(FrameJson.encodeKept(frame))))
                    .contains(frame);
            assertThat(new String(FrameJson.encode(frame), StandardCharsets.UTF_8))
                    .doesNotContain("alice", "was");
        }
    }

    @ParameterizedTest
    @MethodSource("every_frame")
    void a_frame_comes_back_as_it_was(Frame frame) throws IOException {
        assertThat(FrameReader.read(JSON.readTree(FrameJson.encode(frame)))).contains(frame);
    }

    @Test
    void a_type_and_fields_of_a_later_version_are_passed_over() throws IOException {
        assertThat(FrameReader.read(JSON.readTree("{\"type\":\"weather\",\"sun\":true}")))
                .isEmpty();
        assertThat(FrameReader.read(
                        JSON.readTree("{\"type\":\"bookmark\",\"mood\":1,\"rev\":4711,\"epoch\":\"01JDQ2\"}")))
                .contains(new Bookmark(AT));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{} | type is ",
                "{\"type\":\"bookmark\",\"rev\":\"x\",\"epoch\":\"e\"} | rev is \"x\"",
                "{\"type\":\"bookmark\",\"rev\":1} | epoch is ",
                "{\"type\":\"gone\",\"reason\":\"bored\",\"rev\":1,\"epoch\":\"e\"} | reason is \"bored\"",
                "{\"type\":\"container_status\",\"workspace_id\":\"w1\",\"running\":1} | running is 1",
            })
    void what_is_wrong_is_named(String text, String message) throws IOException {
        var json = JSON.readTree(text);
        assertThatThrownBy(() -> FrameReader.read(json))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(message.strip());
    }
}
