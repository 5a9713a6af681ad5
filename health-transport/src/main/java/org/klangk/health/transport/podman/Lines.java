package org.klangk.health.transport.podman;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Cuts a stream of bytes into lines of text, whatever pieces it comes in. Not thread-safe. */
final class Lines {
    /** No event of Podman's is longer; a longer line is an error rather than memory. */
    private static final int MAX = 1024 * 1024;

    private final ByteArrayOutputStream rest = new ByteArrayOutputStream();

    /** The lines that {@code bytes} completes. */
    List<String> append(byte[] bytes) {
        List<String> lines = new ArrayList<>();
        int from = 0;
        for (int i = 0; i < bytes.length; i++) {
            if (bytes[i] == '\n') {
                rest.write(bytes, from, i - from);
                lines.add(rest.toString(StandardCharsets.UTF_8));
                rest.reset();
                from = i + 1;
            }
        }
        rest.write(bytes, from, bytes.length - from);
        if (rest.size() > MAX) {
            throw new PodmanException(0, "a line of over " + MAX + " bytes");
        }
        return lines;
    }
}
