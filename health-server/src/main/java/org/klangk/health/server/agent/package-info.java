/** The kinds of agents that are known by name. */
@NullMarked
package org.klangk.health.server.agent;

import org.jspecify.annotations.NullMarked;
