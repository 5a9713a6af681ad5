@NullMarked
package org.klangk.health.transport.local;

import org.jspecify.annotations.NullMarked;
