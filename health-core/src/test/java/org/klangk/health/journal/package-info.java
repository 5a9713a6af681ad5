@NullMarked
package org.klangk.health.journal;

import org.jspecify.annotations.NullMarked;
