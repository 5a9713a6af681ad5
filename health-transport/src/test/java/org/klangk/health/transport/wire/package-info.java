/** Frames there and back again. */
@NullMarked
package org.klangk.health.transport.wire;

import org.jspecify.annotations.NullMarked;
