@NullMarked
package org.klangk.health.writer;

import org.jspecify.annotations.NullMarked;
