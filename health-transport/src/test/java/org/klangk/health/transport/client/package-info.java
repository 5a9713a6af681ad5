/** How far a remote subscriber has come, by values. */
@NullMarked
package org.klangk.health.transport.client;

import org.jspecify.annotations.NullMarked;
