@NullMarked
package org.klangk.health.server.config;

import org.jspecify.annotations.NullMarked;
