package org.klangk.health.runtime;

import java.io.Serial;

/** A runtime answers, and refuses what was asked of it; every other failure means that it does not answer. */
public class RefusedException extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1;

    /** @param message the runtime's reason */
    public RefusedException(String message) {
        super(message, null, false, false);
    }
}
