package org.klangk.health.transport.client;

import java.io.Serial;

/** The server does not let this client in. */
public final class NotAllowedException extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1;

    NotAllowedException(String reason) {
        super(reason, null, false, false);
    }
}
