@NullMarked
package org.klangk.health.pipeline;

import org.jspecify.annotations.NullMarked;
