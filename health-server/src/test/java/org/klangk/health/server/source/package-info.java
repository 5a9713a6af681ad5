@NullMarked
package org.klangk.health.server.source;

import org.jspecify.annotations.NullMarked;
