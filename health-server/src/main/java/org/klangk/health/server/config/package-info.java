/** What the server is told: environment, then a file, then defaults; a bad value stops the start and says why. */
@NullMarked
package org.klangk.health.server.config;

import org.jspecify.annotations.NullMarked;
