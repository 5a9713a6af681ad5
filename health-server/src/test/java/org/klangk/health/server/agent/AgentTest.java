package org.klangk.health.server.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.ServerSocket;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import reactor.core.publisher.Mono;
import reactor.netty.DisposableServer;
import reactor.netty.http.server.HttpServer;

/** The checks that agents bring, run against what their agents answer. */
class AgentTest {
    private static final Pattern PORT = Pattern.compile("127\\.0\\.0\\.1/(\\d+)");

    private static int check(String agent, int port) throws IOException, InterruptedException {
        String command = Agent.named(agent).orElseThrow().healthCheck();
        Matcher matcher = PORT.matcher(command);
        assertThat(matcher.find()).isTrue();
        return new ProcessBuilder("bash", "-c", matcher.replaceAll("127.0.0.1/" + port))
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start()
                .waitFor();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "openclaw | /healthz | 200 | {\"ok\":true,\"status\":\"live\"}     | 0",
                "openclaw | /healthz | 503 | {\"ok\":false,\"status\":\"starting\"} | 1",
                "openclaw | /other   | 200 | {\"ok\":true}                          | 1",
                "hermes   | /health  | 200 | {\"status\":\"ok\"}                    | 0",
                "hermes   | /health  | 503 | {\"status\":\"down\"}                  | 1",
            })
    void a_check_passes_when_its_agent_answers_that_it_is_well(
            String agent, String path, int status, String body, int exitCode) throws IOException, InterruptedException {
        DisposableServer server = HttpServer.create()
                .host("127.0.0.1")
                .port(0)
                .handle((request, response) -> request.uri().equals(path)
                        ? response.status(status).sendString(Mono.just(body)).then()
                        : response.status(agent.equals("openclaw") ? 200 : 404)
                                .sendString(Mono.just("<!doctype html>"))
                                .then())
                .bindNow();
        try {
            assertThat(check(agent, server.port())).isEqualTo(exitCode);
        } finally {
            server.disposeNow();
        }
    }

    @Test
    void an_agent_that_does_not_listen_fails() throws IOException, InterruptedException {
        int free;
        try (ServerSocket socket = new ServerSocket(0)) {
            free = socket.getLocalPort();
        }
        for (String agent : Agent.names()) {
            assertThat(check(agent, free)).as(agent).isEqualTo(1);
        }
    }
}
