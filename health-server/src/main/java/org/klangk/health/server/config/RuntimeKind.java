package org.klangk.health.server.config;

/** What runs the services that are watched. */
public enum RuntimeKind {
    /** Containers of a Podman. */
    PODMAN,
    /** Processes of this machine. */
    LOCAL
}
