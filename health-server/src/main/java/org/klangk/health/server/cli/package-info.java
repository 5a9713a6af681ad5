/** The two commands, klangkd and klangkc. */
@NullMarked
package org.klangk.health.server.cli;

import org.jspecify.annotations.NullMarked;
