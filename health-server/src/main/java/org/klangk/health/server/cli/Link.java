package org.klangk.health.server.cli;

import java.time.Duration;
import java.util.Locale;
import java.util.Timer;
import java.util.TimerTask;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.klangk.health.server.monitor.Backoff;

/**
 * Keeps a stream of frames going: reconnects, with another token where one is to be had for nothing, and gives up only where it
 * was told to or is not allowed in. One thread runs it; any may end it.
 */
final class Link {
    private static final long PROBE_MILLIS = 1_000;

    /**
     * How often it tries.
     *
     * @param most failed connections in a row before it gives up, null for never
     * @param again whether it connects again at all
     * @param longest the longest wait between two tries
     */
    record Patience(@Nullable Integer most, boolean again, Duration longest) {}

    private final Connection server;
    private final Patience patience;
    private final Backoff backoff;
    private final Consumer<String> notices;
    private final CountDownLatch ended = new CountDownLatch(1);
    private volatile @Nullable FrameSocket socket;
    private volatile boolean atOnce;
    private boolean heard;
    private volatile boolean lost;
    private int connections;

    /** @param notices told of what happens to the link */
    Link(Connection server, Patience patience, Backoff backoff, Consumer<String> notices) {
        this.server = server;
        this.patience = patience;
        this.backoff = backoff;
        this.notices = notices;
    }

    /**
     * Reads until it gives up or is ended; how it exits.
     *
     * @param query what to ask for, asked before each connection
     * @param frames gets every frame, on the socket's thread
     */
    int run(Supplier<String> query, @Nullable String greeting, Consumer<String> frames) {
        Timer watch = new Timer("klangk-link", true);
        watch.schedule(
                new TimerTask() {
                    @Override
                    public void run() {
                        probe();
                    }
                },
                PROBE_MILLIS,
                PROBE_MILLIS);
        try {
            while (true) {
                Integer exit = once(query, greeting, frames);
                if (exit != null) {
                    return exit;
                }
            }
        } finally {
            watch.cancel();
        }
    }

    /** One connection and the wait after it; an exit code when it is the last. */
    private @Nullable Integer once(Supplier<String> query, @Nullable String greeting, Consumer<String> frames) {
        FrameSocket.Ended end;
        String token = "";
        try {
            token = server.token();
            String asked = query.get();
            int connection = begin();
            FrameSocket next = new FrameSocket(text -> hear(connection, text, frames));
            // Before any frame comes: whoever hears one may want to end it.
            socket = next;
            if (ended.getCount() == 0) {
                return ExitCode.OK;
            }
            next.connect(server, token, asked, greeting);
            end = next.await();
        } catch (CliException e) {
            if (e.exitCode() != ExitCode.UNREACHABLE) {
                throw e;
            }
            end = new FrameSocket.Ended(1006, String.valueOf(e.getMessage()));
        }
        if (ended.getCount() == 0) {
            return ExitCode.OK;
        }
        if (!patience.again()) {
            notices.accept("the stream ended: " + end);
            return end.exitCode();
        }
        if (atOnce) {
            atOnce = false;
            return null;
        }
        if (end.needsToken()) {
            if (!renewed(token)) {
                notices.accept("not allowed in: " + end + "; klangkc login, or another token, helps");
                return ExitCode.NOT_ALLOWED;
            }
            return null;
        }
        lost = true;
        if (patience.most() != null && backoff.failures() >= patience.most()) {
            notices.accept("the stream ended: " + end + "; not tried again after " + backoff.failures() + " attempts");
            return ExitCode.UNREACHABLE;
        }
        Duration wait = backoff.failed();
        notices.accept(String.format(
                Locale.ROOT, "the stream ended: %s; trying again in %.1f s", end, wait.toMillis() / 1000.0));
        return sleep(wait) ? ExitCode.OK : null;
    }

    /** A server that does not answer while it is asked for a token is one that will be tried again. */
    private boolean renewed(String token) {
        try {
            return server.renew(token);
        } catch (CliException e) {
            if (e.exitCode() == ExitCode.UNREACHABLE) {
                sleep(backoff.failed());
                return true;
            }
            throw e;
        }
    }

    /** From now on frames of earlier connections are nobody's any more. */
    private synchronized int begin() {
        heard = false;
        return ++connections;
    }

    private synchronized void hear(int connection, String text, Consumer<String> frames) {
        if (connection != connections) {
            return;
        }
        if (!heard) {
            heard = true;
            backoff.succeeded();
            if (lost) {
                lost = false;
                notices.accept("connected again");
            }
        }
        frames.accept(text);
    }

    private void probe() {
        FrameSocket open = socket;
        if (open != null) {
            open.probe();
        }
    }

    /** Waits; true when it was ended meanwhile. */
    private boolean sleep(Duration wait) {
        try {
            return ended.await(wait.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return true;
        }
    }

    /** Connects anew at once, because frames were left out. */
    void reopen(String reason) {
        FrameSocket open = socket;
        if (open != null) {
            atOnce = true;
            open.abort(reason);
        }
    }

    /** Ends it. */
    void end() {
        ended.countDown();
        FrameSocket open = socket;
        if (open != null) {
            open.abort("ended");
        }
    }
}
