@NullMarked
package org.klangk.health.transport.podman;

import org.jspecify.annotations.NullMarked;
