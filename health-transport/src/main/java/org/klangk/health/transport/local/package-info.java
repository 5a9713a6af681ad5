/** Services and checks as processes of this machine, for where there is no Podman. Everything ends with this process. */
@NullMarked
package org.klangk.health.transport.local;

import org.jspecify.annotations.NullMarked;
