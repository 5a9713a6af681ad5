/** A health service on another machine, as the embedded one is used. */
@NullMarked
package org.klangk.health.transport.client;

import org.jspecify.annotations.NullMarked;
