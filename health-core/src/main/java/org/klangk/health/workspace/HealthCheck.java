package org.klangk.health.workspace;

import java.nio.charset.StandardCharsets;
import java.util.Objects;

/**
 * The user's check: one shell command, run as {@code bash -c command} inside the container. Its text is for those who may
 * edit the workspace, so {@link #toString()} hides it.
 *
 * @param command not blank, no NUL, at most {@value #MAX_BYTES} bytes of UTF-8
 */
public record HealthCheck(String command) {
    /** The most bytes a command may have. */
    public static final int MAX_BYTES = 64 * 1024;

    /** @throws IllegalArgumentException when the command is blank, holds a NUL or is too long */
    public HealthCheck {
        Objects.requireNonNull(command, "command");
        if (command.isBlank()) {
            throw new IllegalArgumentException("is blank; a shell command is accepted");
        }
        if (command.indexOf('\0') >= 0) {
            throw new IllegalArgumentException("holds a NUL character; none is accepted");
        }
        int bytes = command.getBytes(StandardCharsets.UTF_8).length;
        if (bytes > MAX_BYTES) {
            throw new IllegalArgumentException("has " + bytes + " bytes; at most " + MAX_BYTES + " are accepted");
        }
    }

    @Override
    public String toString() {
        return "HealthCheck[hidden]";
    }
}
