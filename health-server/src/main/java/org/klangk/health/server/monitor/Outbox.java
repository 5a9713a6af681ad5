package org.klangk.health.server.monitor;

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Runs something for each event: those of one workspace in their order, several workspaces at once, and never more than a number of
 * them waiting. Knows what is unfinished, and so from where all of it would come again. May be used on any thread.
 */
public final class Outbox {
    /** What is run for an event; returns when it is finished, however that went. */
    public interface Runner {
        /**
         * Runs it.
         *
         * @param missed whether others came before it that are gone
         */
        void run(Event event, boolean missed) throws InterruptedException;
    }

    /** Where a job would come again from: {@code before} is the position ahead of it, null where a snapshot told it. */
    private record Job(
            long number,
            Event event,
            boolean missed,
            @Nullable String before) {}

    private final Runner runner;
    private final int most;
    private final Consumer<Place> progress;
    private final ExecutorService threads;
    private final Map<String, Queue<Job>> waiting = new HashMap<>();
    private final TreeMap<Long, Job> unfinished = new TreeMap<>();
    /** Finished ahead of something unfinished. */
    private final Map<Long, Job> ahead = new HashMap<>();

    private final Set<String> busy = new HashSet<>();
    private @Nullable String position;
    private long number;
    private boolean closed;

    /**
     * An empty one.
     *
     * @param parallel how many workspaces at once
     * @param most how many events may be unfinished
     * @param progress told how far it has come whenever that changed
     */
    public Outbox(Runner runner, int parallel, int most, Consumer<Place> progress) {
        this.runner = runner;
        this.most = most;
        this.progress = progress;
        threads = Executors.newFixedThreadPool(parallel, task -> {
            Thread thread = new Thread(task, "klangk-hook");
            thread.setDaemon(true);
            return thread;
        });
    }

    /** Whether there is no room for another one. */
    public synchronized boolean isFull() {
        return unfinished.size() >= most;
    }

    /** Whether so much is finished that there is room for many. */
    public synchronized boolean hasRoom() {
        return unfinished.size() <= most / 2;
    }

    /** Whether nothing is waiting or running. */
    public synchronized boolean isEmpty() {
        return unfinished.isEmpty();
    }

    /**
     * Adds one; there is room for it.
     *
     * @param before the position ahead of it, null where a snapshot told it
     */
    public synchronized void add(Event event, boolean missed, @Nullable String before) {
        Job job = new Job(number++, event, missed, before);
        unfinished.put(job.number(), job);
        waiting.computeIfAbsent(event.workspace(), key -> new ArrayDeque<>()).add(job);
        next(event.workspace());
    }

    /** Everything up to {@code reached} was taken. */
    public synchronized void advance(@Nullable String reached) {
        position = reached;
        if (unfinished.isEmpty()) {
            tell();
        }
    }

    private void next(String workspace) {
        Queue<Job> queue = waiting.get(workspace);
        if (closed || queue == null || busy.contains(workspace)) {
            return;
        }
        Job job = queue.poll();
        if (job == null) {
            waiting.remove(workspace);
            return;
        }
        busy.add(workspace);
        threads.execute(() -> run(job));
    }

    private void run(Job job) {
        try {
            runner.run(job.event(), job.missed());
        } catch (InterruptedException e) {
            // It was given up, and comes again.
            Thread.currentThread().interrupt();
            return;
        }
        finished(job);
    }

    private synchronized void finished(Job job) {
        unfinished.remove(job.number());
        ahead.put(job.number(), job);
        long lowest = unfinished.isEmpty() ? Long.MAX_VALUE : unfinished.firstKey();
        ahead.keySet().removeIf(done -> done < lowest);
        busy.remove(job.event().workspace());
        notifyAll();
        tell();
        next(job.event().workspace());
    }

    private void tell() {
        String reached = unfinished.isEmpty()
                ? position
                : unfinished.firstEntry().getValue().before();
        if (reached == null) {
            return;
        }
        Map<String, Long> done = new HashMap<>();
        ahead.values()
                .forEach(job -> done.merge(job.event().workspace(), job.event().rev(), Math::max));
        progress.accept(new Place(reached, done));
    }

    /** Waits until everything is finished. */
    public synchronized void awaitEmpty() {
        try {
            while (!unfinished.isEmpty()) {
                wait();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Starts nothing more, and waits for what runs; what is still running then is interrupted and stays unfinished. */
    public void close(long millis) {
        synchronized (this) {
            closed = true;
        }
        threads.shutdown();
        try {
            if (!threads.awaitTermination(millis, TimeUnit.MILLISECONDS)) {
                threads.shutdownNow();
                // What is interrupted ends what it runs.
                threads.awaitTermination(millis, TimeUnit.MILLISECONDS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
