@NullMarked
package org.klangk.health;

import org.jspecify.annotations.NullMarked;
