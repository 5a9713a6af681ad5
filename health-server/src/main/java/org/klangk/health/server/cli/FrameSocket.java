package org.klangk.health.server.cli;

import java.net.http.WebSocket;
import java.net.http.WebSocketHandshakeException;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The stream of frames as a command reads it: one text at a time, the next one only when the last one was taken, so that
 * nothing piles up here.
 */
final class FrameSocket implements WebSocket.Listener {
    private static final int BROKEN = 1006;
    private static final long CONNECT_SECONDS = 30;
    private static final long SILENCE_MILLIS = 15_000;

    /**
     * How the stream ended.
     *
     * @param code the close code; 1006 when the link broke, or was never there
     * @param reason the server's reason, or what broke
     */
    record Ended(int code, String reason) {
        private static final int UNAUTHORIZED = 4001;
        private static final int EXPIRED = 4002;

        /** Whether another token may help. */
        boolean needsToken() {
            return code == UNAUTHORIZED || code == EXPIRED;
        }

        int exitCode() {
            return needsToken() ? ExitCode.NOT_ALLOWED : ExitCode.UNREACHABLE;
        }

        @Override
        public String toString() {
            return code + (reason.isEmpty() ? "" : " " + reason);
        }
    }

    private final Consumer<String> frames;
    private final StringBuilder text = new StringBuilder();
    private final CompletableFuture<Ended> ended = new CompletableFuture<>();
    private volatile long heardNanos = System.nanoTime();
    private volatile boolean busy;
    private volatile @Nullable WebSocket open;

    /** One that is not connected yet; each frame is handed over on the socket's thread, which waits for it. */
    FrameSocket(Consumer<String> frames) {
        this.frames = frames;
    }

    /** Connects, once, unless it was ended before. Does not fail: what is wrong is how it ended. */
    void connect(Connection server, String token, String query, @Nullable String greeting) {
        try {
            WebSocket.Builder builder = server.client().newWebSocketBuilder();
            if (!token.isEmpty()) {
                builder.header("Authorization", "Bearer " + token);
            }
            WebSocket opened = builder.buildAsync(server.stream(query), this)
                    .orTimeout(CONNECT_SECONDS, TimeUnit.SECONDS)
                    .join();
            open = opened;
            if (ended.isDone()) {
                // A frame came, and somebody had enough, before there was anything to close.
                opened.abort();
            } else if (greeting != null) {
                opened.sendText(greeting, true).join();
            }
        } catch (CompletionException e) {
            String reason = e.getCause() instanceof WebSocketHandshakeException refused
                    ? "the server answered " + refused.getResponse().statusCode()
                    : "the server at " + server.server().getAuthority() + " does not answer: " + Connection.describe(e);
            ended.complete(new Ended(BROKEN, reason));
        }
    }

    /** Waits until it is over. */
    Ended await() {
        return ended.join();
    }

    /**
     * Asks whether the other side is there, and ends it where nothing was heard for too long. The JDK's socket does not always
     * notice by itself that it was cut.
     */
    void probe() {
        WebSocket socket = open;
        if (socket == null || ended.isDone()) {
            return;
        }
        long silence = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - heardNanos);
        if (!busy && silence > SILENCE_MILLIS) {
            abort("nothing was heard for " + SILENCE_MILLIS / 1000 + " s");
            return;
        }
        socket.sendPing(ByteBuffer.allocate(0)).exceptionally(error -> {
            // One that is still under way is no failure.
            if (!(error instanceof IllegalStateException) && !(error.getCause() instanceof IllegalStateException)) {
                abort(Connection.describe(error));
            }
            return null;
        });
    }

    /** Ends it from this side, for this reason. */
    void abort(String reason) {
        ended.complete(new Ended(BROKEN, reason));
        WebSocket socket = open;
        if (socket != null) {
            socket.abort();
        }
    }

    @Override
    public @Nullable CompletionStage<?> onText(WebSocket socket, CharSequence part, boolean last) {
        heardNanos = System.nanoTime();
        text.append(part);
        if (last) {
            String frame = text.toString();
            text.setLength(0);
            busy = true;
            frames.accept(frame);
            busy = false;
            heardNanos = System.nanoTime();
        }
        socket.request(1);
        return null;
    }

    @Override
    public @Nullable CompletionStage<?> onPing(WebSocket socket, ByteBuffer message) {
        heardNanos = System.nanoTime();
        socket.request(1);
        return null;
    }

    @Override
    public @Nullable CompletionStage<?> onPong(WebSocket socket, ByteBuffer message) {
        heardNanos = System.nanoTime();
        socket.request(1);
        return null;
    }

    @Override
    public @Nullable CompletionStage<?> onClose(WebSocket socket, int code, String reason) {
        ended.complete(new Ended(code, reason));
        return null;
    }

    @Override
    public void onError(WebSocket socket, Throwable error) {
        ended.complete(new Ended(BROKEN, Connection.describe(error)));
    }
}
