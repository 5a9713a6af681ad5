@NullMarked
package org.klangk.health.state;

import org.jspecify.annotations.NullMarked;
