/** Workspaces that are defined elsewhere than over the interface. */
@NullMarked
package org.klangk.health.server.source;

import org.jspecify.annotations.NullMarked;
