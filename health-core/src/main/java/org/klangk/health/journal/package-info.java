/** Where events and frames are kept. A frame is shown only after the journal has it. */
@NullMarked
package org.klangk.health.journal;

import org.jspecify.annotations.NullMarked;
