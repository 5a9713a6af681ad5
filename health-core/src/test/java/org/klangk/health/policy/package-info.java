@NullMarked
package org.klangk.health.policy;

import org.jspecify.annotations.NullMarked;
