/** When and how checks run: the probe interface, the cadence, and the budget for starting. */
@NullMarked
package org.klangk.health.probe;

import org.jspecify.annotations.NullMarked;
