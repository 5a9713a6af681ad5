package org.klangk.health.server.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;
import org.klangk.health.server.auth.TokenFile;
import org.klangk.health.server.config.ConfigReader;
import org.klangk.health.workspace.WorkspaceId;
import picocli.CommandLine.Option;

/** A server, as a command talks to it: the JDK's own client, which starts faster than any other. */
final class Connection {
    static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration ANSWER = Duration.ofSeconds(30);
    private static final Duration LONGEST_CHECK = Duration.ofMinutes(6);

    @Option(
            names = "--server",
            paramLabel = "URL",
            defaultValue = "${env:KLANGK_URL:-http://127.0.0.1:8997}",
            description = "The server (KLANGK_URL; default ${DEFAULT-VALUE}).")
    private URI server = URI.create("http://127.0.0.1:8997");

    @Option(
            names = "--token",
            paramLabel = "TOKEN",
            description =
                    "The token (KLANGK_TOKEN; otherwise the one in the data directory of a server on this machine).")
    private @Nullable String token;

    private @Nullable HttpClient client;

    HttpClient client() {
        HttpClient existing = client;
        if (existing == null) {
            existing = HttpClient.newBuilder()
                    .connectTimeout(Duration.ofSeconds(10))
                    .build();
            client = existing;
        }
        return existing;
    }

    /** The token to show; empty where there is none. */
    String token() {
        if (token != null) {
            return token;
        }
        String given = System.getenv("KLANGK_TOKEN");
        if (given != null && !given.isEmpty()) {
            return given;
        }
        Path dataDir = ConfigReader.dataDir(System.getenv());
        try {
            return TokenFile.read(dataDir);
        } catch (IOException e) {
            throw new CliException(
                    ExitCode.NOT_ALLOWED, "the token in " + dataDir + " cannot be read: " + e.getMessage());
        }
    }

    /** The stream of frames, with the token where there is one. */
    URI stream(String query) {
        String text = server.toString().replaceFirst("^http", "ws").replaceFirst("/$", "");
        String shown = token();
        return URI.create(text + "/ws?" + query + (shown.isEmpty() ? "" : "&token=" + encode(shown)));
    }

    JsonNode get(String path) {
        return send("GET", path, null, ANSWER);
    }

    JsonNode post(String path, JsonNode document) {
        return send("POST", path, document, path.endsWith("/check") ? LONGEST_CHECK : ANSWER);
    }

    JsonNode patch(String path, JsonNode document) {
        return send("PATCH", path, document, ANSWER);
    }

    void delete(String path) {
        send("DELETE", path, null, ANSWER);
    }

    private JsonNode send(String method, String path, @Nullable JsonNode document, Duration timeout) {
        HttpRequest.Builder request = HttpRequest.newBuilder(server.resolve("/api/v1" + path))
                .timeout(timeout)
                .header("Content-Type", "application/json")
                .method(
                        method,
                        document == null ? BodyPublishers.noBody() : BodyPublishers.ofString(document.toString()));
        String shown = token();
        if (!shown.isEmpty()) {
            request.header("Authorization", "Bearer " + shown);
        }
        try {
            HttpResponse<String> response = client().send(request.build(), BodyHandlers.ofString());
            JsonNode body = response.body().isBlank() ? MissingNode.getInstance() : JSON.readTree(response.body());
            if (response.statusCode() >= 400) {
                throw refused(response.statusCode(), body);
            }
            return body;
        } catch (IOException e) {
            throw new CliException(
                    ExitCode.UNREACHABLE, "the server at " + server + " does not answer: " + describe(e));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CliException(ExitCode.UNREACHABLE, "interrupted");
        }
    }

    static String describe(Throwable error) {
        Throwable cause = error;
        while (cause.getCause() != null && (cause.getMessage() == null || cause instanceof CompletionException)) {
            cause = cause.getCause();
        }
        return cause.getMessage() == null ? cause.getClass().getSimpleName() : cause.getMessage();
    }

    private static CliException refused(int status, JsonNode problem) {
        int code = status == 401 || status == 403
                ? ExitCode.NOT_ALLOWED
                : status < 500 ? ExitCode.USAGE : ExitCode.UNREACHABLE;
        List<String> details = new ArrayList<>();
        problem.path("errors").forEach(error -> details.add(error.path("detail").asText()));
        if (details.isEmpty()) {
            details.add(problem.path("detail").asText("the server answered " + status));
        }
        return new CliException(code, String.join("\n", details));
    }

    /** The path of the workspace of this name or id. */
    String workspace(String nameOrId) {
        return "/workspaces/" + encode(idOf(nameOrId));
    }

    String idOf(String nameOrId) {
        if (WorkspaceId.looksGenerated(nameOrId)) {
            return nameOrId;
        }
        List<String> ids = new ArrayList<>();
        for (JsonNode one : get("/workspaces?q=" + encode(nameOrId))) {
            if (one.path("name").asText().equals(nameOrId)) {
                ids.add(one.path("id").asText());
            }
        }
        if (ids.size() == 1) {
            return ids.get(0);
        }
        throw new CliException(
                ExitCode.USAGE,
                ids.isEmpty()
                        ? "no workspace '" + nameOrId + "'"
                        : "several workspaces are named '" + nameOrId + "'; name one by its id: "
                                + String.join(", ", ids));
    }

    static String encode(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
