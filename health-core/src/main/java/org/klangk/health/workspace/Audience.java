package org.klangk.health.workspace;

import java.util.Set;

/**
 * Whom a workspace is shown to, at one moment.
 *
 * @param name the workspace's name then
 * @param owner the user it belonged to
 * @param members others who might see it
 */
public record Audience(String name, String owner, Set<String> members) {
    public Audience {
        members = Set.copyOf(members);
    }

    /** Whether the user of this name is among them. */
    public boolean has(String user) {
        return owner.equals(user) || members.contains(user);
    }
}
