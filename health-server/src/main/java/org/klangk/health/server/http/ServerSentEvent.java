package org.klangk.health.server.http;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import org.klangk.health.frame.Frame;
import org.klangk.health.frame.FrameKind;
import org.klangk.health.frame.FrameType;
import org.klangk.health.frame.LoggedFrame;
import org.klangk.health.transport.wire.FrameJson;

/** A frame as an event stream carries it (WHATWG HTML, section 9.2). Pure. */
final class ServerSentEvent {
    private ServerSentEvent() {}

    /**
     * The event. It has an id, from which a client that lost its connection goes on, where everything up to it was sent: not
     * within a snapshot, whose frames stand at the places of earlier changes.
     */
    static byte[] of(Frame frame) {
        byte[] json = FrameJson.encode(frame);
        StringBuilder fields = new StringBuilder(80);
        if (isPlace(frame)) {
            fields.append("id: ").append(frame.position()).append('\n');
        }
        fields.append("event: ").append(frame.type().wireName()).append("\ndata: ");
        ByteArrayOutputStream event = new ByteArrayOutputStream(json.length + 80);
        event.writeBytes(fields.toString().getBytes(StandardCharsets.US_ASCII));
        event.writeBytes(json);
        event.write('\n');
        event.write('\n');
        return event.toByteArray();
    }

    private static boolean isPlace(Frame frame) {
        return frame instanceof LoggedFrame logged
                ? logged.kind() == FrameKind.CHANGE
                : frame.type() == FrameType.SNAPSHOT_END || frame.type() == FrameType.BOOKMARK;
    }
}
