/**
 * The durable journal: one SQLite file in a private directory. Events and frames of a commit are written in one transaction; what
 * is known is a checkpoint and the tail of events after it; history is read by queries.
 */
@NullMarked
package org.klangk.health.transport.journal;

import org.jspecify.annotations.NullMarked;
