package org.klangk.health.server.http;

import java.nio.ByteBuffer;
import org.klangk.health.frame.Frame;
import org.klangk.health.transport.wire.FrameJson;

/**
 * A frame as a WebSocket carries it from server to client (RFC 6455, section 5.2): one unmasked, final text message. Made here so
 * that the same bytes, header included, go to every connection as they are. Pure.
 */
public final class TextMessage {
    private static final byte FINAL_TEXT = (byte) 0x81;
    private static final int SHORT = 125;
    private static final int LONG = 0xFFFF;
    private static final byte TWO_BYTES_OF_LENGTH = 126;
    private static final byte EIGHT_BYTES_OF_LENGTH = 127;
    private static final int LONGEST_HEADER = 10;

    private TextMessage() {}

    /** The bytes of the message. */
    public static byte[] of(Frame frame) {
        byte[] text = FrameJson.encode(frame);
        ByteBuffer message = ByteBuffer.allocate(LONGEST_HEADER + text.length).put(FINAL_TEXT);
        if (text.length <= SHORT) {
            message.put((byte) text.length);
        } else if (text.length <= LONG) {
            message.put(TWO_BYTES_OF_LENGTH).putShort((short) text.length);
        } else {
            message.put(EIGHT_BYTES_OF_LENGTH).putLong(text.length);
        }
        message.put(text).flip();
        byte[] exact = new byte[message.remaining()];
        message.get(exact);
        return exact;
    }
}
