package org.klangk.health.server.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.function.Supplier;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * One request and its answer. The JDK's older client does it where it can: it has no threads, for which the end of a short
 * process would wait longer than for the answer.
 */
final class Rest {
    private static final Duration CONNECT = Duration.ofSeconds(10);

    /** An answer. */
    record Answer(int status, String body) {}

    /** What is asked. */
    record Asked(
            String method,
            URI uri,
            @Nullable String token,
            @Nullable String document,
            Duration timeout) {}

    private final Supplier<HttpClient> newer;
    private final @Nullable SSLContext trust;

    /**
     * Requests.
     *
     * @param newer for what the older client cannot do
     * @param trust whom to trust, null for whom the machine trusts
     */
    Rest(Supplier<HttpClient> newer, @Nullable SSLContext trust) {
        this.newer = newer;
        this.trust = trust;
        // What was asked once is asked once.
        System.setProperty("sun.net.http.retryPost", "false");
    }

    Answer send(Asked asked) throws IOException, InterruptedException {
        return asked.method().equals("PATCH") ? patch(asked) : classic(asked);
    }

    private Answer classic(Asked asked) throws IOException {
        HttpURLConnection connection = (HttpURLConnection) asked.uri().toURL().openConnection();
        if (trust != null && connection instanceof HttpsURLConnection secure) {
            secure.setSSLSocketFactory(trust.getSocketFactory());
        }
        connection.setRequestMethod(asked.method());
        connection.setConnectTimeout((int) CONNECT.toMillis());
        connection.setReadTimeout((int) asked.timeout().toMillis());
        connection.setInstanceFollowRedirects(false);
        connection.setRequestProperty("Content-Type", "application/json");
        connection.setRequestProperty("Accept", "application/json");
        if (asked.token() != null) {
            connection.setRequestProperty("Authorization", "Bearer " + asked.token());
        }
        if (asked.document() != null) {
            byte[] bytes = asked.document().getBytes(StandardCharsets.UTF_8);
            connection.setDoOutput(true);
            try (OutputStream out = connection.getOutputStream()) {
                out.write(bytes);
            }
        }
        int status = connection.getResponseCode();
        try (InputStream in = status >= 400 ? connection.getErrorStream() : connection.getInputStream()) {
            return new Answer(status, in == null ? "" : new String(in.readAllBytes(), StandardCharsets.UTF_8));
        }
    }

    private Answer patch(Asked asked) throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(asked.uri())
                .timeout(asked.timeout())
                .header("Content-Type", "application/json")
                .method(asked.method(), BodyPublishers.ofString(asked.document() == null ? "" : asked.document()));
        if (asked.token() != null) {
            request.header("Authorization", "Bearer " + asked.token());
        }
        HttpResponse<String> response = newer.get().send(request.build(), BodyHandlers.ofString());
        return new Answer(response.statusCode(), response.body());
    }
}
