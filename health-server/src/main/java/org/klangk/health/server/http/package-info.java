/** REST and WebSocket over Reactor Netty. */
@NullMarked
package org.klangk.health.server.http;

import org.jspecify.annotations.NullMarked;
