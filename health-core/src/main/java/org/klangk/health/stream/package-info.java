/** What subscribers hold: a snapshot, then every change after it, each subscriber a cursor in the log. */
@NullMarked
package org.klangk.health.stream;

import org.jspecify.annotations.NullMarked;
