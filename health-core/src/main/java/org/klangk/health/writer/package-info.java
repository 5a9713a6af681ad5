/** The one writer: decides commands on the candidate state, commits events and frames, and only then shows them. */
@NullMarked
package org.klangk.health.writer;

import org.jspecify.annotations.NullMarked;
