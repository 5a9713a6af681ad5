package org.klangk.health.server.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import javax.net.ssl.SSLHandshakeException;
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
    /** An image may have to be fetched. */
    private static final Duration LONGEST_START = Duration.ofMinutes(16);

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
                    "The token (KLANGK_TOKEN; otherwise that of a login, or the one in the data directory of a server on this"
                            + " machine).")
    private @Nullable String token;

    @Option(
            names = "--ca",
            paramLabel = "FILE",
            defaultValue = "${env:KLANGK_CA}",
            description = "Certificates, as PEM, to trust instead of the usual ones (KLANGK_CA).")
    private @Nullable Path authority;

    private final Credentials credentials = Credentials.ofUser(System.getenv());
    private @Nullable HttpClient client;
    private @Nullable Rest rest;

    HttpClient client() {
        HttpClient existing = client;
        if (existing == null) {
            HttpClient.Builder builder = HttpClient.newBuilder()
                    .connectTimeout(Duration.ofSeconds(10))
                    .version(HttpClient.Version.HTTP_1_1);
            Trust.configure(builder, server, Trust.of(server, authority));
            existing = builder.build();
            client = existing;
        }
        return existing;
    }

    URI server() {
        return server;
    }

    private Rest rest() {
        Rest existing = rest;
        if (existing == null) {
            existing = new Rest(this::client, Trust.of(server, authority));
            rest = existing;
        }
        return existing;
    }

    /** The token to show; empty where there is none. */
    String token() {
        String told = told();
        if (told != null) {
            return told;
        }
        Credentials.Login login = credentials.find(server);
        return login == null ? ofThisMachine() : login.access();
    }

    /** The token that this process was told to use; null when it was not. */
    private @Nullable String told() {
        if (token != null) {
            return token;
        }
        String given = System.getenv("KLANGK_TOKEN");
        return given == null || given.isEmpty() ? null : given;
    }

    /** The token of a server on this machine, which is nobody else's business. */
    private String ofThisMachine() {
        String host = String.valueOf(server.getHost());
        if (!host.equals("localhost") && !host.startsWith("127.") && !host.equals("[::1]")) {
            return "";
        }
        Path dataDir = ConfigReader.dataDir(System.getenv());
        try {
            return TokenFile.read(dataDir);
        } catch (IOException e) {
            throw new CliException(
                    ExitCode.NOT_ALLOWED, "the token in " + dataDir + " cannot be read: " + e.getMessage());
        }
    }

    /**
     * Gets another token in the place of one that is not accepted any more, where that takes nobody's password.
     *
     * @return whether there is another one now
     */
    boolean renew(String stale) {
        if (told() != null) {
            return false;
        }
        if (credentials.find(server) == null) {
            return !ofThisMachine().equals(stale);
        }
        Credentials.Login next = credentials.change(server, present -> {
            if (present == null || !present.access().equals(stale)) {
                // Another process was faster.
                return present;
            }
            JsonNode asked = JSON.createObjectNode().put("refresh_token", present.refresh());
            Rest.Answer answer = exchange("POST", "/auth/refresh", asked, null, ANSWER);
            if (answer.status() == 200) {
                return Credentials.Login.of(parsed(answer));
            }
            return answer.status() == 401 ? null : present;
        });
        return next != null && !next.access().equals(stale);
    }

    /** Logs in, and remembers that for every later command. */
    void login(String identifier, String password) {
        JsonNode asked = JSON.createObjectNode().put("identifier", identifier).put("password", password);
        JsonNode given = accepted(exchange("POST", "/auth/login", asked, null, ANSWER));
        credentials.change(server, present -> Credentials.Login.of(given));
    }

    /** Ends the login and forgets it; false when there was none. */
    boolean logout() {
        Credentials.Login login = credentials.find(server);
        if (login == null) {
            return false;
        }
        Rest.Answer answer = exchange("POST", "/auth/logout", JSON.createObjectNode(), login.access(), ANSWER);
        if (answer.status() == 401 && renew(login.access())) {
            exchange("POST", "/auth/logout", JSON.createObjectNode(), token(), ANSWER);
        }
        credentials.change(server, present -> null);
        return true;
    }

    /** The stream of frames. */
    URI stream(String query) {
        String text = server.toString().replaceFirst("^http", "ws").replaceFirst("/$", "");
        return URI.create(text + "/ws" + (query.isEmpty() ? "" : "?" + query));
    }

    JsonNode get(String path) {
        return send("GET", path, null, ANSWER);
    }

    JsonNode post(String path, JsonNode document) {
        return send("POST", path, document, path.endsWith("/check") ? LONGEST_CHECK : patience(path, document));
    }

    JsonNode patch(String path, JsonNode document) {
        return send("PATCH", path, document, patience(path, document));
    }

    private static Duration patience(String path, JsonNode document) {
        return path.endsWith("/start") || document.has("image") ? LONGEST_START : ANSWER;
    }

    void delete(String path) {
        send("DELETE", path, null, ANSWER);
    }

    /** GET of something that is no JSON. */
    String text(String path) {
        Rest.Answer answer = answer("GET", path, null, ANSWER);
        if (answer.status() >= 400) {
            throw refused(answer.status(), parsed(answer));
        }
        return answer.body();
    }

    private JsonNode send(String method, String path, @Nullable JsonNode document, Duration timeout) {
        return accepted(answer(method, path, document, timeout));
    }

    private Rest.Answer answer(String method, String path, @Nullable JsonNode document, Duration timeout) {
        String shown = token();
        Rest.Answer answer = exchange(method, path, document, shown, timeout);
        return answer.status() == 401 && renew(shown) ? exchange(method, path, document, token(), timeout) : answer;
    }

    private Rest.Answer exchange(
            String method, String path, @Nullable JsonNode document, @Nullable String shown, Duration timeout) {
        try {
            return rest().send(new Rest.Asked(
                    method,
                    server.resolve("/api/v1" + path),
                    shown == null || shown.isEmpty() ? null : shown,
                    document == null ? null : document.toString(),
                    timeout));
        } catch (SSLHandshakeException e) {
            throw new CliException(
                    ExitCode.UNREACHABLE,
                    "the server at " + server + " is not trusted: " + describe(e) + "; --ca FILE says whom to trust");
        } catch (IOException e) {
            throw new CliException(
                    ExitCode.UNREACHABLE, "the server at " + server + " does not answer: " + describe(e));
        } catch (IllegalArgumentException | ClassCastException e) {
            throw new CliException(
                    ExitCode.USAGE, "--server " + server + ": a URL such as http://127.0.0.1:8997 is accepted");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CliException(ExitCode.UNREACHABLE, "interrupted");
        }
    }

    private JsonNode accepted(Rest.Answer answer) {
        JsonNode body = parsed(answer);
        if (answer.status() >= 400) {
            throw refused(answer.status(), body);
        }
        return body;
    }

    private JsonNode parsed(Rest.Answer answer) {
        try {
            return answer.body().isBlank() ? MissingNode.getInstance() : JSON.readTree(answer.body());
        } catch (IOException e) {
            throw new CliException(
                    ExitCode.UNREACHABLE, "the server at " + server + " does not answer as one: " + describe(e));
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
        if (status == 401 && !problem.path("type").asText().endsWith("/login-failed")) {
            details.add("klangkc login, or another token, helps");
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
