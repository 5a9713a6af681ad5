/** How a result is judged: grace, thresholds, staleness, and what text may leave. Pure functions of their arguments. */
@NullMarked
package org.klangk.health.policy;

import org.jspecify.annotations.NullMarked;
