/** What is watched: a workspace, its container and its health check. Values only; nothing here knows of results or time. */
@NullMarked
package org.klangk.health.workspace;

import org.jspecify.annotations.NullMarked;
