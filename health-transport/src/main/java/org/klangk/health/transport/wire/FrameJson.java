package org.klangk.health.transport.wire;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;
import org.klangk.health.frame.ContainerStatus;
import org.klangk.health.frame.Frame;
import org.klangk.health.frame.Gone;
import org.klangk.health.frame.Heartbeat;
import org.klangk.health.frame.LoggedFrame;
import org.klangk.health.frame.MonitorHealth;
import org.klangk.health.frame.ServiceHealth;
import org.klangk.health.frame.SnapshotEnd;
import org.klangk.health.frame.WorkspaceRemovedFrame;
import org.klangk.health.frame.WorkspaceStateFrame;
import org.klangk.health.frame.WorkspacesChanged;
import org.klangk.health.workspace.Audience;

/**
 * Frames as JSON objects, one line each. Field order is part of the contract: Klangk's seven fields first, what is additive
 * after them. Pure.
 */
public final class FrameJson {
    private static final JsonFactory JSON = new JsonFactory();

    private FrameJson() {}

    /** The frame in UTF-8, without a line end. */
    public static byte[] encode(Frame frame) {
        return encode(frame, false);
    }

    /** The same with what decides who is told, which no client sees. */
    public static byte[] encodeKept(LoggedFrame frame) {
        return encode(frame, true);
    }

    private static byte[] encode(Frame frame, boolean kept) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(320);
        try (JsonGenerator json = JSON.createGenerator(out)) {
            json.writeStartObject();
            json.writeStringField("type", frame.type().wireName());
            fields(json, frame);
            if (kept) {
                audiences(json, frame);
            }
            json.writeNumberField("rev", frame.position().rev());
            json.writeStringField("epoch", frame.position().epoch());
            json.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return out.toByteArray();
    }

    private static void audiences(JsonGenerator json, Frame frame) throws IOException {
        if (frame instanceof WorkspacesChanged changed) {
            audience(json, "was", changed.was());
            audience(json, "is", changed.is());
        } else if (frame instanceof WorkspaceRemovedFrame removed) {
            audience(json, "was", removed.was());
        }
    }

    private static void audience(JsonGenerator json, String field, @Nullable Audience audience) throws IOException {
        if (audience == null) {
            return;
        }
        json.writeObjectFieldStart(field);
        json.writeStringField("name", audience.name());
        json.writeStringField("owner", audience.owner());
        json.writeArrayFieldStart("members");
        for (String member : audience.members()) {
            json.writeString(member);
        }
        json.writeEndArray();
        json.writeEndObject();
    }

    private static void fields(JsonGenerator json, Frame frame) throws IOException {
        if (frame instanceof ServiceHealth health) {
            serviceHealth(json, health);
        } else if (frame instanceof ContainerStatus status) {
            json.writeStringField("workspace_id", status.workspaceId().value());
            json.writeBooleanField("running", status.running());
            json.writeStringField("container_id", status.containerId());
        } else if (frame instanceof WorkspacesChanged changed) {
            json.writeStringField("workspace_id", changed.workspaceId().value());
        } else if (frame instanceof WorkspaceStateFrame state) {
            json.writeStringField("workspace_id", state.workspaceId().value());
            text(json, "state", WireText.word(state.state()));
            text(json, "reason", state.reason());
            text(json, "since", WireText.time(state.since()));
        } else if (frame instanceof WorkspaceRemovedFrame removed) {
            json.writeStringField("workspace_id", removed.workspaceId().value());
            json.writeStringField("reason", removed.reason());
        } else if (frame instanceof MonitorHealth monitor) {
            text(json, "component", WireText.word(monitor.component()));
            json.writeBooleanField("healthy", monitor.healthy());
            text(json, "message", monitor.message());
        } else if (frame instanceof Heartbeat beat) {
            heartbeat(json, beat);
        } else if (frame instanceof SnapshotEnd end) {
            json.writeNumberField("count", end.count());
        } else if (frame instanceof Gone gone) {
            text(json, "reason", WireText.word(gone.reason()));
            json.writeStringField("oldest", gone.position().toString());
        }
        if (frame instanceof LoggedFrame logged && !(frame instanceof ServiceHealth)) {
            text(json, "kind", WireText.word(logged.kind()));
        }
    }

    private static void serviceHealth(JsonGenerator json, ServiceHealth health) throws IOException {
        json.writeStringField("workspace_id", health.workspaceId().value());
        json.writeBooleanField("healthy", health.healthy());
        text(json, "health_message", health.healthMessage());
        json.writeBooleanField("running", health.running());
        text(json, "health_checked_at", WireText.time(health.healthCheckedAt()));
        json.writeNumberField("seq", health.seq());
        text(json, "kind", WireText.word(health.kind()));
        json.writeStringField("name", health.name());
        text(json, "state", WireText.word(health.state()));
        text(json, "since", WireText.time(health.since()));
        text(json, "outcome", WireText.word(health.outcome()));
        if (health.exitCode() == null) {
            json.writeNullField("exit_code");
        } else {
            json.writeNumberField("exit_code", health.exitCode());
        }
        json.writeNumberField("incarnation", health.incarnation());
    }

    private static void heartbeat(JsonGenerator json, Heartbeat beat) throws IOException {
        text(json, "timestamp", WireText.time(beat.timestamp()));
        json.writeNumberField("period_ms", beat.period().toMillis());
        json.writeNumberField("watched", beat.watched());
        json.writeNumberField("in_flight", beat.inFlight());
        json.writeNumberField("worst_lateness_ms", beat.worstLateness().toMillis());
    }

    private static void text(JsonGenerator json, String field, @Nullable String value) throws IOException {
        if (value == null) {
            json.writeNullField(field);
        } else {
            json.writeStringField(field, value);
        }
    }
}
