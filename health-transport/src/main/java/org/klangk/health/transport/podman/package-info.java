/** Podman over its Unix socket: what containers do, and checks that run in them. Depends on its REST interface alone. */
@NullMarked
package org.klangk.health.transport.podman;

import org.jspecify.annotations.NullMarked;
