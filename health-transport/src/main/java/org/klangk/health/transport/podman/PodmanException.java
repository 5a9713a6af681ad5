package org.klangk.health.transport.podman;

import java.io.Serial;
import org.klangk.health.runtime.RefusedException;

/** Podman answered, and said no. */
final class PodmanException extends RefusedException {
    @Serial
    private static final long serialVersionUID = 1;

    private final int status;

    PodmanException(int status, String message) {
        super(message);
        this.status = status;
    }

    int status() {
        return status;
    }
}
