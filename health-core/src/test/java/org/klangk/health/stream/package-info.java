@NullMarked
package org.klangk.health.stream;

import org.jspecify.annotations.NullMarked;
