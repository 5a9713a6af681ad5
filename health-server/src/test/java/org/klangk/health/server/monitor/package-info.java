@NullMarked
package org.klangk.health.server.monitor;

import org.jspecify.annotations.NullMarked;
