package org.klangk.health.server.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Several requests over one connection, byte by byte as a client may send them. */
class ConnectionTest extends ServerFixture {
    private static final int MILLIS = 20_000;

    private Socket socket = new Socket();

    @BeforeEach
    void connect() throws IOException {
        socket = new Socket(InetAddress.getLoopbackAddress(), server.address().getPort());
        socket.setSoTimeout(MILLIS);
    }

    @AfterEach
    void disconnect() throws IOException {
        socket.close();
    }

    private void send(String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
        socket.getOutputStream().flush();
    }

    private void head(String method, String path, int length, String header) throws IOException {
        send(method + " " + path + " HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                + "Content-Length: " + length + "\r\n" + header + "\r\n\r\n");
    }

    /** The status line and the headers of the next answer, whose body is passed over. */
    private static String answer(BufferedReader in) throws IOException {
        StringBuilder head = new StringBuilder();
        int length = 0;
        for (String line = in.readLine();
                !Objects.requireNonNull(line, "closed").isEmpty();
                line = in.readLine()) {
            head.append(line.toLowerCase(Locale.ROOT)).append('\n');
            if (line.toLowerCase(Locale.ROOT).startsWith("content-length:")) {
                length = Integer.parseInt(
                        line.substring("content-length:".length()).strip());
            }
        }
        assertThat(in.skip(length)).isEqualTo(length);
        return head.toString();
    }

    private BufferedReader in() throws IOException {
        return new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.ISO_8859_1));
    }

    @ParameterizedTest
    @CsvSource({
        "POST, /api/v1/workspaces, 'Origin: http://evil.test', 403",
        "POST, /api/v1/workspaces, 'Authorization: Bearer forged', 401",
        "PATCH, /api/v1/workspaces/nobody, 'Authorization: Bearer the-token-of-this-test', 404",
        "POST, /nowhere, 'Authorization: Bearer the-token-of-this-test', 404",
        "DELETE, /api/v1/workspaces/nobody, 'Authorization: Bearer the-token-of-this-test', 404",
        "GET, /livez, 'X-Nothing: 1', 200",
    })
    void what_was_sent_and_not_wanted_is_read_before_the_answer_and_the_next_request_gets_its_own(
            String method, String path, String header, int status) throws IOException {
        BufferedReader in = in();
        head(method, path, 12, header);
        send("{\"name\"");
        send(":\"a\"}");
        send("GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n");
        assertThat(answer(in)).startsWith("http/1.1 " + status);
        assertThat(answer(in)).startsWith("http/1.1 200");
    }

    @Test
    void nothing_is_answered_before_the_end_of_the_request() throws IOException {
        head("POST", "/api/v1/workspaces", 2, "Origin: http://evil.test");
        send("{");
        socket.setSoTimeout(300);
        assertThatThrownBy(() -> socket.getInputStream().read()).isInstanceOf(SocketTimeoutException.class);
        socket.setSoTimeout(MILLIS);
        send("}");
        assertThat(answer(in())).startsWith("http/1.1 403");
    }

    @Test
    void whoever_sends_without_end_is_answered_and_cut_off() throws IOException {
        BufferedReader in = in();
        head("POST", "/api/v1/workspaces", 100_000_000, "Origin: http://evil.test");
        char[] much = new char[Exchange.MAX_BODY + 1];
        Arrays.fill(much, 'x');
        send(new String(much));
        assertThat(answer(in)).startsWith("http/1.1 403").contains("connection: close");
        assertThat(in.read()).isEqualTo(-1);
    }
}
