/** What runs the containers, as this service sees it: facts about containers, and the probes that reach into them. */
@NullMarked
package org.klangk.health.runtime;

import org.jspecify.annotations.NullMarked;
