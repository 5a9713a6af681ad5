/** Numbers that nobody can guess, made without blocking. */
@NullMarked
package org.klangk.health.random;

import org.jspecify.annotations.NullMarked;
