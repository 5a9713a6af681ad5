package org.klangk.health.workspace;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Who looks, and what they may see: an administrator everything, everybody else what they own or are a member of, and of
 * that only what {@code only} names. Pure.
 *
 * @param user the user's name
 * @param admin whether they see the workspaces of all
 * @param only ids and names of the workspaces they are confined to, null when they are not
 */
public record Viewer(String user, boolean admin, @Nullable Set<String> only) {
    /** Code that embeds the service sees everything. */
    public static final Viewer EVERYTHING = new Viewer("", true, null);

    public Viewer {
        only = only == null ? null : Set.copyOf(only);
    }

    /** Whether nothing is hidden from them. */
    public boolean seesEverything() {
        return admin && only == null;
    }

    /** Whether they may see the workspace. */
    public boolean sees(Workspace workspace) {
        return seesEverything() || sees(workspace.id(), workspace.audience());
    }

    /** Whether they may see the workspace {@code id} while it is shown to {@code audience}; nobody sees it where that is null. */
    public boolean sees(WorkspaceId id, @Nullable Audience audience) {
        if (seesEverything()) {
            return true;
        }
        return audience != null
                && (admin || audience.has(user))
                && (only == null || only.contains(id.value()) || only.contains(audience.name()));
    }
}
