/** Checks as shell processes, wherever they run: the scripts around them and what is read of their output. */
@NullMarked
package org.klangk.health.transport.check;

import org.jspecify.annotations.NullMarked;
