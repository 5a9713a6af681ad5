package org.klangk.health.testing;

import reactor.blockhound.BlockHound;
import reactor.blockhound.integration.BlockHoundIntegration;

/**
 * Taking a task out of a scheduler's queue, or finding the scheduler shut down, takes a lock of it for a moment, on whichever
 * thread ends a timer. Reactor's own integration allows it for some of its tasks and for adding to the queue; this allows it for
 * all, because two threads that end timers at the same moment are no blocking call. Giving work to a thread of its own takes the
 * lock of its queue, likewise for a moment.
 */
public final class BriefLocks implements BlockHoundIntegration {
    @Override
    public void applyTo(BlockHound.Builder builder) {
        builder.allowBlockingCallsInside("java.util.concurrent.ScheduledThreadPoolExecutor$DelayedWorkQueue", "remove");
        builder.allowBlockingCallsInside("java.util.concurrent.ScheduledThreadPoolExecutor", "shutdownNow");
        builder.allowBlockingCallsInside("java.util.concurrent.ThreadPoolExecutor", "tryTerminate");
        builder.allowBlockingCallsInside("java.util.concurrent.LinkedBlockingQueue", "offer");
    }
}
