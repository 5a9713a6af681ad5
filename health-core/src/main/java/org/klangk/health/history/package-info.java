/**
 * What happened to a workspace, as it can be read later: events, changes of state and runs of equal results, made from commits by
 * a pure recorder, and what is computed from them.
 */
@NullMarked
package org.klangk.health.history;

import org.jspecify.annotations.NullMarked;
