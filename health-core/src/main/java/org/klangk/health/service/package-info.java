/** The service as other JVM code embeds it; wires writer, scheduler, runtime and stream together. */
@NullMarked
package org.klangk.health.service;

import org.jspecify.annotations.NullMarked;
