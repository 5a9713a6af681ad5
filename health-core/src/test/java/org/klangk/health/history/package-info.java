@NullMarked
package org.klangk.health.history;

import org.jspecify.annotations.NullMarked;
