/** Tests of the agents that are known. */
@NullMarked
package org.klangk.health.server.agent;

import org.jspecify.annotations.NullMarked;
