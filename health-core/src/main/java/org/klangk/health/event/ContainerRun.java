package org.klangk.health.event;

import java.time.Instant;

/**
 * The identity of one run of one container: a restart of the same container is another run.
 *
 * @param containerId the runtime's full id
 * @param startedAt when the run began, as the runtime says it, never adjusted
 */
public record ContainerRun(String containerId, Instant startedAt) {}
