@NullMarked
package org.klangk.health.server.auth;

import org.jspecify.annotations.NullMarked;
