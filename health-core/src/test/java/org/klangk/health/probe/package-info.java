@NullMarked
package org.klangk.health.probe;

import org.jspecify.annotations.NullMarked;
