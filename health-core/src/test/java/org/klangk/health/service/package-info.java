@NullMarked
package org.klangk.health.service;

import org.jspecify.annotations.NullMarked;
