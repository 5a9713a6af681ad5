@NullMarked
package org.klangk.health.transport.check;

import org.jspecify.annotations.NullMarked;
