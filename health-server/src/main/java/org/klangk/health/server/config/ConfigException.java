package org.klangk.health.server.config;

import java.io.Serial;

/** A setting that cannot be used; the message names it, its value and what is accepted. */
public final class ConfigException extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1;

    /** @param message for the person who starts the server */
    public ConfigException(String message) {
        super(message);
    }
}
