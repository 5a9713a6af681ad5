/** Frames and status as JSON, as clients see them. */
@NullMarked
package org.klangk.health.transport.wire;

import org.jspecify.annotations.NullMarked;
