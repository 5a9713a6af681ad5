package org.klangk.health.server.auth;

import java.io.Serial;

/** Something about accounts that cannot be done; the message is for the one who asked. */
public final class AccountException extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1;

    /** @param message names the value and what is accepted */
    public AccountException(String message) {
        super(message);
    }

    AccountException(String message, Throwable cause) {
        super(message, cause);
    }
}
