package org.klangk.health.transport.client;

import java.io.Serial;

/** A link ended, for whatever reason it may be made again. */
final class BrokenLinkException extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1;

    BrokenLinkException(String reason) {
        super(reason, null, false, false);
    }
}
