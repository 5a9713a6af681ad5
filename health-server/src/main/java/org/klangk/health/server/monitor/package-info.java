/**
 * What a client that watches for ever needs: where to go on, what to run for which frame, in which order, and how far it has come.
 * Knows nothing of how frames get here.
 */
@NullMarked
package org.klangk.health.server.monitor;

import org.jspecify.annotations.NullMarked;
