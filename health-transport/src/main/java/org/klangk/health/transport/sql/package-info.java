/** Statements of SQL, without their ceremony. */
@NullMarked
package org.klangk.health.transport.sql;

import org.jspecify.annotations.NullMarked;
