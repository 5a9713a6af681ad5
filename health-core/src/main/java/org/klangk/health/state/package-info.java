/** What is known: the fold of all events about a workspace, and the words for it. Pure; the next step for a reader is {@code org.klangk.health.stream.HealthStream}. */
@NullMarked
package org.klangk.health.state;

import org.jspecify.annotations.NullMarked;
