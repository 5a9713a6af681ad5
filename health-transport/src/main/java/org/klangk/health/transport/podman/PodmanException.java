package org.klangk.health.transport.podman;

import java.io.Serial;

/** Podman answered, and said no. */
final class PodmanException extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1;

    private final int status;

    PodmanException(int status, String message) {
        super(message, null, false, false);
        this.status = status;
    }

    int status() {
        return status;
    }
}
