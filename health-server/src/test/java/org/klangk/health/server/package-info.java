@NullMarked
package org.klangk.health.server;

import org.jspecify.annotations.NullMarked;
