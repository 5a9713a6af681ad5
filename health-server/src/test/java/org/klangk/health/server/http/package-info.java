@NullMarked
package org.klangk.health.server.http;

import org.jspecify.annotations.NullMarked;
