@NullMarked
package org.klangk.health.transport.journal;

import org.jspecify.annotations.NullMarked;
