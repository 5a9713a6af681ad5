package org.klangk.health.service;

import java.io.Serial;

/** A user has as many workspaces as they may have. */
public final class TooManyWorkspacesException extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1;

    TooManyWorkspacesException(String owner, int most) {
        super("user '" + owner + "' has " + most + " workspaces; at most that many are accepted", null, false, false);
    }
}
