/** The clocks: injected, so that tests own the time. */
@NullMarked
package org.klangk.health.time;

import org.jspecify.annotations.NullMarked;
