/** Tests of what is kept of services' output. */
@NullMarked
package org.klangk.health.transport.service;

import org.jspecify.annotations.NullMarked;
