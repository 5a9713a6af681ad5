package org.klangk.health.server.auth;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * An account.
 *
 * @param name its name, which the owner and members of a workspace are given by
 * @param admin whether it sees and does everything
 * @param createdAt when it was made
 * @param rights where in the log {@code admin} last changed, {@link #UNPLACED} before a server noticed, null when it never did
 */
public record User(
        String name,
        boolean admin,
        Instant createdAt,
        @Nullable String rights) {
    /** Changed, and no server has said yet where in its log that was. */
    static final String UNPLACED = "changed";
}
