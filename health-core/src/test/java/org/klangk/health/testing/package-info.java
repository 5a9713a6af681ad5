/** What several tests need. */
@NullMarked
package org.klangk.health.testing;

import org.jspecify.annotations.NullMarked;
