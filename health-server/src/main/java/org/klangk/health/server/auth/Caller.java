package org.klangk.health.server.auth;

import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.klangk.health.frame.Position;
import org.klangk.health.workspace.Viewer;

/**
 * Who asks, proven.
 *
 * @param user the user's name
 * @param admin whether they may see and do everything
 * @param readOnly whether they may change nothing
 * @param only ids and names of the workspaces that their token is confined to, null when it is not
 * @param credential what they proved it with, by a name that is no secret
 * @param rightsSince where they became, or ceased to be, an administrator; null when that never changed
 */
public record Caller(
        String user,
        boolean admin,
        boolean readOnly,
        @Nullable Set<String> only,
        String credential,
        @Nullable Position rightsSince) {
    /** The one user of a server without accounts. */
    public static final Caller LOCAL = new Caller("local", true, false, null, "", null);

    public Caller {
        only = only == null ? null : Set.copyOf(only);
    }

    /** What they may see. */
    public Viewer viewer() {
        return new Viewer(user, admin, only);
    }
}
