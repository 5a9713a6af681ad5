package org.klangk.health.service;

import org.jspecify.annotations.Nullable;

/**
 * Who defines, edits or removes workspaces.
 *
 * @param name the user's name, for the audit; null when it is not known
 * @param mayOwn how many workspaces the owner of one that they define may have then
 */
public record Actor(@Nullable String name, int mayOwn) {
    /** Code that embeds the service. */
    public static final Actor UNKNOWN = new Actor(null, Integer.MAX_VALUE);
}
