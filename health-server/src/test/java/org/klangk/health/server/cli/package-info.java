@NullMarked
package org.klangk.health.server.cli;

import org.jspecify.annotations.NullMarked;
