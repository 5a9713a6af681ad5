/** What is told: the frames that subscribers receive, and positions in their log. */
@NullMarked
package org.klangk.health.frame;

import org.jspecify.annotations.NullMarked;
