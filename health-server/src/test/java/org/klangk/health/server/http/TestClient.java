package org.klangk.health.server.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.WebSocket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A client that knows the contract only, over real sockets. */
final class TestClient {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Pattern AFTER = Pattern.compile("(?:Last-Event-ID&|[?&]after=)([0-9A-Za-z]+\\.\\d+)");

    private final HttpClient http = HttpClient.newHttpClient();
    private final String authority;
    private final @Nullable String token;
    private final List<Recording> recordings = new CopyOnWriteArrayList<>();

    TestClient(int port, @Nullable String token) {
        this.authority = "127.0.0.1:" + port;
        this.token = token;
    }

    /** Looks at everything that came over every connection of the full view: each guarantee of the stream held. */
    void validate() {
        recordings.forEach(Recording::validate);
    }

    /** What a connection is told from now on; null for one that is not told everything. */
    private @Nullable Recording recording(boolean everything, String query, String... headers) {
        if (!everything) {
            return null;
        }
        Matcher after = AFTER.matcher(String.join("&", headers) + query);
        Recording recording = new Recording(after.find() ? after.group(1) : "");
        recordings.add(recording);
        return recording;
    }

    record Answer(int status, JsonNode body, HttpResponse<String> response) {}

    Answer send(String method, String path, @Nullable String body, String... headers) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://" + authority + path))
                .timeout(Duration.ofSeconds(20))
                .method(method, body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
        if (body != null && !List.of(headers).contains("Content-Type")) {
            request.header("Content-Type", "application/json");
        }
        if (token != null) {
            request.header("Authorization", "Bearer " + token);
        }
        if (headers.length > 0) {
            request.headers(headers);
        }
        try {
            HttpResponse<String> response = http.send(request.build(), BodyHandlers.ofString());
            String text = response.body();
            return new Answer(
                    response.statusCode(), text.isEmpty() ? JSON.missingNode() : JSON.readTree(text), response);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    Answer get(String path) {
        return send("GET", path, null);
    }

    Answer post(String path, String body) {
        return send("POST", path, body);
    }

    Socket socket(String query, String... headers) {
        Socket socket = new Socket(recording(query.contains("view=full") || query.contains("after="), query, headers));
        WebSocket.Builder builder = http.newWebSocketBuilder();
        for (int i = 0; i < headers.length; i += 2) {
            builder.header(headers[i], headers[i + 1]);
        }
        socket.open(builder.buildAsync(URI.create("ws://" + authority + "/ws" + query), socket)
                .orTimeout(20, TimeUnit.SECONDS)
                .join());
        return socket;
    }

    /** One WebSocket and what came over it. */
    static final class Socket implements WebSocket.Listener {
        private final BlockingQueue<JsonNode> frames = new LinkedBlockingQueue<>();
        private final StringBuilder text = new StringBuilder();
        private final CompletableFuture<Integer> closed = new CompletableFuture<>();
        private final CompletableFuture<Boolean> opens = new CompletableFuture<>();
        private final @Nullable Recording recording;
        private volatile boolean reads = true;
        private @Nullable WebSocket socket;

        private Socket(@Nullable Recording recording) {
            this.recording = recording;
        }

        private void open(WebSocket opened) {
            socket = opened;
        }

        private WebSocket opened() {
            WebSocket opened = socket;
            if (opened == null) {
                throw new IllegalStateException("not open");
            }
            return opened;
        }

        void say(String message) {
            opened().sendText(message, true).join();
        }

        JsonNode next() {
            try {
                JsonNode frame = frames.poll(20, TimeUnit.SECONDS);
                if (frame == null) {
                    throw new AssertionError("no frame came; closed: " + closed);
                }
                return frame;
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }

        /** Every frame that came and was not asked for yet. */
        List<JsonNode> received() {
            List<JsonNode> received = new ArrayList<>();
            frames.drainTo(received);
            return received;
        }

        /** The next frame of this type; what comes before it is passed over. */
        JsonNode next(String type) {
            JsonNode frame = next();
            while (!frame.path("type").asText().equals(type)) {
                frame = next();
            }
            return frame;
        }

        /** Whether frames come, rather than its end. */
        boolean opens() {
            return opens.orTimeout(20, TimeUnit.SECONDS).join();
        }

        int closeCode() {
            return closed.completeOnTimeout(-1, 20, TimeUnit.SECONDS).join();
        }

        /** Waits until it is over, however it ends. */
        void awaitEnd() {
            closed.handle((code, error) -> true).orTimeout(20, TimeUnit.SECONDS).join();
        }

        /** From now on nothing more is asked for. */
        void stopReading() {
            reads = false;
        }

        void cut() {
            opened().abort();
        }

        @Override
        public @Nullable CompletionStage<?> onText(WebSocket from, CharSequence part, boolean last) {
            text.append(part);
            if (last) {
                try {
                    JsonNode frame = JSON.readTree(text.toString());
                    record(recording, frame);
                    frames.add(frame);
                    opens.complete(true);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
                text.setLength(0);
            }
            if (reads) {
                from.request(1);
            }
            return null;
        }

        @Override
        public @Nullable CompletionStage<?> onClose(WebSocket from, int code, String reason) {
            closed.complete(code);
            opens.complete(false);
            return null;
        }

        @Override
        public void onError(WebSocket from, Throwable error) {
            closed.completeExceptionally(error);
            opens.complete(false);
        }
    }

    /** An event stream; its status has to be 200. */
    Events events(String query, String... headers) {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(URI.create("http://" + authority + "/api/v1/stream" + query));
        if (token != null) {
            request.header("Authorization", "Bearer " + token);
        }
        if (headers.length > 0) {
            request.headers(headers);
        }
        try {
            HttpResponse<InputStream> response = http.send(request.build(), BodyHandlers.ofInputStream());
            if (response.statusCode() != 200) {
                throw new AssertionError("status " + response.statusCode());
            }
            return new Events(response, recording(query.contains("view=full"), query, headers));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /**
     * One event; a comment has neither type nor data.
     *
     * @param id its id, empty when it has none
     */
    record Event(String id, String type, String data) {
        JsonNode frame() {
            try {
                return JSON.readTree(data);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /** One event stream and what came over it. */
    static final class Events {
        private final BlockingQueue<Event> events = new LinkedBlockingQueue<>();
        private final CompletableFuture<Void> ended;
        private final HttpResponse<InputStream> response;
        private final @Nullable Recording recording;

        private Events(HttpResponse<InputStream> response, @Nullable Recording recording) {
            this.response = response;
            this.recording = recording;
            ended = CompletableFuture.runAsync(this::read, task -> new Thread(task, "events").start());
        }

        private void read() {
            try (BufferedReader lines =
                    new BufferedReader(new InputStreamReader(response.body(), StandardCharsets.UTF_8))) {
                Map<String, String> fields = new HashMap<>();
                for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                    if (line.isEmpty()) {
                        Event event = new Event(
                                fields.getOrDefault("id", ""),
                                fields.getOrDefault("event", ""),
                                fields.getOrDefault("data", ""));
                        if (!event.data().isEmpty()) {
                            record(recording, event.frame());
                        }
                        events.add(event);
                        fields.clear();
                    } else {
                        int colon = line.indexOf(':');
                        fields.put(
                                line.substring(0, colon),
                                line.substring(colon + 1).strip());
                    }
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        HttpResponse<InputStream> response() {
            return response;
        }

        Event next() {
            try {
                Event event = events.poll(20, TimeUnit.SECONDS);
                if (event == null) {
                    throw new AssertionError("no event came");
                }
                return event;
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }

        /** The next event of this type; what comes before it is passed over. */
        Event next(String type) {
            Event event = next();
            while (!event.type().equals(type)) {
                event = next();
            }
            return event;
        }

        /** Waits until the server ends it. */
        void awaitEnd() {
            ended.orTimeout(20, TimeUnit.SECONDS).join();
        }

        void cut() {
            try {
                response.body().close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    private static void record(@Nullable Recording recording, JsonNode frame) {
        if (recording != null) {
            recording.add(frame);
        }
    }

    static List<String> fields(JsonNode object) {
        List<String> names = new ArrayList<>();
        object.fieldNames().forEachRemaining(names::add);
        return names;
    }
}
