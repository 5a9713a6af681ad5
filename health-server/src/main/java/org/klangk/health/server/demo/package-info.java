/** Three small services that become healthy, flap and die, to see the product at work. */
@NullMarked
package org.klangk.health.server.demo;

import org.jspecify.annotations.NullMarked;
