/** From events to frames: grace, fold, transitions and numbering, pure functions with thin Flux operators around them. */
@NullMarked
package org.klangk.health.pipeline;

import org.jspecify.annotations.NullMarked;
