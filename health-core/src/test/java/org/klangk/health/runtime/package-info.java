@NullMarked
package org.klangk.health.runtime;

import org.jspecify.annotations.NullMarked;
