package org.klangk.health.server.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.LinkedHashSet;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.klangk.health.server.auth.Authenticator;
import org.klangk.health.server.auth.Caller;
import org.klangk.health.service.Actor;
import org.klangk.health.service.NoSuchWorkspaceException;
import org.klangk.health.workspace.Workspace;

/**
 * What callers may do with workspaces: administrators everything; members see what they own or are a member of, and edit what they
 * own, but for what reaches beyond a workspace's own container. What a caller may not see does not exist for them.
 */
final class Rights {
    private final Authenticator users;
    private final Set<String> adminFields;
    private final int mayOwn;

    /**
     * The rights on a server.
     *
     * @param ownProcesses whether services and checks are processes of the server's own machine and user
     * @param mayOwn how many workspaces a member may have
     */
    Rights(Authenticator users, boolean ownProcesses, int mayOwn) {
        this.users = users;
        this.mayOwn = mayOwn;
        Set<String> fields = new LinkedHashSet<>(Set.of("container", "image", "user", "workdir", "owner"));
        if (ownProcesses) {
            fields.addAll(Set.of("health_check", "service_command", "home"));
        }
        adminFields = Set.copyOf(fields);
    }

    /** The caller as the one who does something. */
    Actor actor(Caller caller) {
        return new Actor(caller.user(), caller.admin() ? Integer.MAX_VALUE : mayOwn);
    }

    /** @throws NoSuchWorkspaceException when the caller may not see it */
    void requireSight(Caller caller, Workspace workspace) {
        if (!caller.viewer().sees(workspace)) {
            throw new NoSuchWorkspaceException(workspace.id());
        }
    }

    /** Whether the caller may edit the workspace, and so may read its commands. */
    boolean mayEdit(Caller caller, Workspace workspace) {
        return !caller.readOnly()
                && caller.viewer().sees(workspace)
                && (caller.admin() || workspace.owner().equals(caller.user()));
    }

    /** @throws RuntimeException when the caller may not see or not edit it */
    void requireEdit(Caller caller, Workspace workspace) {
        requireSight(caller, workspace);
        if (!mayEdit(caller, workspace)) {
            throw Problem.forbidden("only the owner of a workspace and administrators may change it");
        }
    }

    /** @throws Problem when the caller may not define workspaces */
    void requireCreate(Caller caller) {
        if (caller.only() != null) {
            throw Problem.forbidden("this token is confined to certain workspaces");
        }
    }

    /**
     * Looks at a definition before it is applied.
     *
     * @param before the workspace's present definition, null for a new one
     * @throws Problem when the caller may not set one of the fields, or a user named in it does not exist
     */
    void requireFields(Caller caller, ObjectNode document, @Nullable Workspace before) {
        for (String user : Set.of("owner", "members")) {
            JsonNode named = document.path(user);
            (named.isArray() ? named : Exchange.JSON.createArrayNode().add(named))
                    .forEach(one -> requireUser(user, one));
        }
        if (caller.admin()) {
            return;
        }
        ObjectNode present = before == null
                ? Exchange.JSON.createObjectNode().put("owner", caller.user())
                : WorkspaceJson.write(before);
        for (String field : adminFields) {
            JsonNode wanted = document.get(field);
            JsonNode now = present.get(field);
            boolean none = wanted == null || (wanted.isNull() && (now == null || now.isNull()));
            if (!none && !Objects.equals(wanted, now)) {
                throw Problem.forbidden(field + ": only an administrator may set it");
            }
        }
    }

    private void requireUser(String field, JsonNode name) {
        if (name.isTextual() && !users.knows(name.asText())) {
            throw Problem.invalid(field, field + " names '" + name.asText() + "'; an existing user is accepted");
        }
    }
}
