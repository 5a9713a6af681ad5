package org.klangk.health.server.cli;

import java.net.http.WebSocket;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The stream of frames as a command reads it: one text at a time, the next one only when the last one was taken, so that
 * nothing piles up here.
 */
final class FrameSocket implements WebSocket.Listener {
    /**
     * How the stream ended.
     *
     * @param code the close code; 1006 when the link broke
     * @param reason the server's reason, or what broke
     */
    record Ended(int code, String reason) {
        private static final int UNAUTHORIZED = 4001;
        private static final int EXPIRED = 4002;

        int exitCode() {
            return code == UNAUTHORIZED || code == EXPIRED ? ExitCode.NOT_ALLOWED : ExitCode.UNREACHABLE;
        }

        @Override
        public String toString() {
            return "the stream ended: " + code + (reason.isEmpty() ? "" : " " + reason);
        }
    }

    private final Consumer<String> frames;
    private final StringBuilder text = new StringBuilder();
    private final CompletableFuture<Ended> ended = new CompletableFuture<>();

    private FrameSocket(Consumer<String> frames) {
        this.frames = frames;
    }

    /** Reads until the stream ends; each frame is handed over on the socket's thread, which waits for it. */
    static Ended read(Connection server, String query, @Nullable String greeting, Consumer<String> frames) {
        FrameSocket socket = new FrameSocket(frames);
        try {
            WebSocket.Builder builder = server.client().newWebSocketBuilder();
            String token = server.token();
            if (!token.isEmpty()) {
                builder.header("Authorization", "Bearer " + token);
            }
            WebSocket open = builder.buildAsync(server.stream(query), socket).join();
            if (greeting != null) {
                open.sendText(greeting, true).join();
            }
            return socket.ended.join();
        } catch (CompletionException e) {
            throw new CliException(
                    ExitCode.UNREACHABLE,
                    "the server at " + server.server().getAuthority() + " does not answer: " + Connection.describe(e));
        }
    }

    @Override
    public @Nullable CompletionStage<?> onText(WebSocket socket, CharSequence part, boolean last) {
        text.append(part);
        if (last) {
            String frame = text.toString();
            text.setLength(0);
            frames.accept(frame);
        }
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
        ended.complete(new Ended(1006, Connection.describe(error)));
    }
}
