package org.klangk.health.server.cli;

import java.io.Serial;

/** A command cannot go on; says why and how it exits. */
final class CliException extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1;

    private final int exitCode;

    CliException(int exitCode, String message) {
        super(message);
        this.exitCode = exitCode;
    }

    int exitCode() {
        return exitCode;
    }
}
