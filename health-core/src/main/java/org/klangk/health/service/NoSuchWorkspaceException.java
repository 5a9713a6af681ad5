package org.klangk.health.service;

import org.klangk.health.workspace.WorkspaceId;

/** There is no workspace of this id. */
public final class NoSuchWorkspaceException extends RuntimeException {
    /** @param id the id asked for */
    public NoSuchWorkspaceException(WorkspaceId id) {
        super("no workspace '" + id + "'");
    }
}
