@NullMarked
package org.klangk.health.workspace;

import org.jspecify.annotations.NullMarked;
