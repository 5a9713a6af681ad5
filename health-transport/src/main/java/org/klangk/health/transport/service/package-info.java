/** What services print, kept. */
@NullMarked
package org.klangk.health.transport.service;

import org.jspecify.annotations.NullMarked;
