package org.klangk.health.transport.podman;

import io.netty.buffer.ByteBuf;

/**
 * Takes the two streams of an exec apart: frames of 8 bytes of header (stream, three zeros, length as big-endian unsigned 32
 * bits) and payload, which arrive in any pieces. Nothing is kept but the state of the frame under way. Not thread-safe.
 */
final class StreamDecoder {
    /** Gets the payload as it comes. */
    interface Sink {
        void bytes(int stream, byte[] bytes, int offset, int length);
    }

    private static final int HEADER = 8;

    private final Sink sink;
    private final byte[] header = new byte[HEADER];
    private int headerBytes;
    private long payloadLeft;

    StreamDecoder(Sink sink) {
        this.sink = sink;
    }

    /** Takes all readable bytes of {@code buffer}, which stays the caller's. */
    void decode(ByteBuf buffer) {
        byte[] bytes = new byte[buffer.readableBytes()];
        buffer.readBytes(bytes);
        decode(bytes);
    }

    void decode(byte[] bytes) {
        int at = 0;
        while (at < bytes.length) {
            if (payloadLeft == 0) {
                int take = Math.min(HEADER - headerBytes, bytes.length - at);
                System.arraycopy(bytes, at, header, headerBytes, take);
                headerBytes += take;
                at += take;
                if (headerBytes == HEADER) {
                    payloadLeft = length();
                    headerBytes = 0;
                }
            } else {
                int take = (int) Math.min(payloadLeft, bytes.length - at);
                sink.bytes(header[0], bytes, at, take);
                payloadLeft -= take;
                at += take;
            }
        }
    }

    private long length() {
        return (header[4] & 0xFFL) << 24 | (header[5] & 0xFFL) << 16 | (header[6] & 0xFFL) << 8 | (header[7] & 0xFFL);
    }
}
