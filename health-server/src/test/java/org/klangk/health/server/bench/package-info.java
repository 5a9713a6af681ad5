/** Benchmarks, run by hand: what things cost beside the least that they could cost, in the same run. */
@NullMarked
package org.klangk.health.server.bench;

import org.jspecify.annotations.NullMarked;
