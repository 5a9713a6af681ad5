package org.klangk.health.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.klangk.health.server.auth.AccountStore;
import org.klangk.health.server.auth.Accounts;
import org.klangk.health.server.auth.Token;
import org.klangk.health.server.http.TestClient.Answer;
import org.klangk.health.server.http.TestClient.Socket;
import org.klangk.health.service.HealthService;
import org.klangk.health.testing.ScriptedRuntime;

/** A server with users, asked by all kinds of callers over real sockets. */
@Tag("long")
class AccountsApiTest {
    private static final String PASSWORD = "correct horse";
    private static final String ALL = ServerFixture.ALL;
    private static final int COST = 4;

    @TempDir
    private Path directory = Path.of("");

    private final ScriptedRuntime runtime = new ScriptedRuntime();
    private @Nullable AccountStore command;
    private @Nullable Accounts accounts;
    private @Nullable HealthServer server;
    private @Nullable TestClient nobody;

    @BeforeEach
    void start() {
        command = AccountStore.open(directory, COST);
        command().addUser("root", PASSWORD, true, Instant.EPOCH);
        command().addUser("alice", PASSWORD, false, Instant.EPOCH);
        command().addUser("bob", PASSWORD, false, Instant.EPOCH);
        HealthService health = HealthService.builder().runtime(runtime).build();
        health.start().block(ServerFixture.LONG);
        accounts = Accounts.of(AccountStore.open(directory, COST));
        accounts.follow(health::position).block(ServerFixture.LONG);
        server = ServerFixture.serve(health, accounts);
        nobody = as("");
        runtime.start("gw", Instant.parse("2026-11-30T10:00:00Z"));
    }

    @AfterEach
    void stop() {
        Objects.requireNonNull(server).stop().block(ServerFixture.LONG);
        Objects.requireNonNull(accounts).close();
        command().close();
    }

    private AccountStore command() {
        return Objects.requireNonNull(command);
    }

    private TestClient as(String token) {
        return new TestClient(Objects.requireNonNull(server).address().getPort(), token.isEmpty() ? null : token);
    }

    private Answer login(String name, String password) {
        return Objects.requireNonNull(nobody)
                .post("/api/v1/auth/login", "{\"identifier\":\"" + name + "\",\"password\":\"" + password + "\"}");
    }

    private String token(String name) {
        Answer answer = login(name, PASSWORD);
        assertThat(answer.status()).isEqualTo(200);
        return answer.body().path("access_token").asText();
    }

    private String program(String user, boolean readOnly, @Nullable Set<String> only, Duration life) {
        Token.Issued issued =
                Token.forProgram(user, "test", readOnly, only, Clock.systemUTC().instant(), life);
        command().addToken(issued.token());
        noticed();
        return issued.secret();
    }

    /** Until the server has looked at the accounts again: a login makes it, before it answers. */
    private void noticed() {
        token("root");
    }

    private static String define(TestClient by, String name, String more) {
        Answer made = by.post(ALL, "{\"name\":\"" + name + "\",\"health_check\":\"true\"" + more + "}");
        assertThat(made.status()).as("%s", made.body()).isEqualTo(201);
        return made.body().path("id").asText();
    }

    private static int status(Answer answer) {
        return answer.status();
    }

    @Test
    void a_client_written_from_the_contract_alone_logs_in_watches_and_logs_out() {
        Answer login = login("alice", PASSWORD);
        assertThat(TestClient.fields(login.body()))
                .containsExactly("access_token", "refresh_token", "token_type", "expires_in");
        assertThat(login.body().path("token_type").asText()).isEqualTo("bearer");
        assertThat(login.body().path("expires_in").asInt()).isEqualTo(900);
        TestClient alice = as(login.body().path("access_token").asText());
        define(as(token("root")), "gateway", ",\"container\":\"gw\",\"owner\":\"alice\"");
        Socket socket =
                alice.socket("?token=" + login.body().path("access_token").asText());
        JsonNode frame = socket.next("service_health");
        assertThat(TestClient.fields(frame).subList(0, 7))
                .containsExactly(
                        "type", "workspace_id", "healthy", "health_message", "running", "health_checked_at", "seq");
        String refresh =
                "{\"refresh_token\":\"" + login.body().path("refresh_token").asText() + "\"}";
        Answer next = Objects.requireNonNull(nobody).post("/api/v1/auth/refresh", refresh);
        assertThat(next.status()).isEqualTo(200);
        TestClient again = as(next.body().path("access_token").asText());
        assertThat(status(again.get(ALL))).isEqualTo(200);
        assertThat(status(again.post("/api/v1/auth/logout", "{}"))).isEqualTo(204);
        assertThat(socket.closeCode()).as("a stream of that login").isEqualTo(4001);
        assertThat(status(again.get(ALL))).as("replayed after logout").isEqualTo(401);
        assertThat(status(Objects.requireNonNull(nobody).post("/api/v1/auth/refresh", refresh)))
                .isEqualTo(401);
    }

    @Test
    void who_proves_nothing_gets_nothing() {
        String expired = program("alice", false, null, Duration.ofMillis(1));
        assertThat(status(as("").get(ALL))).as("no token").isEqualTo(401);
        assertThat(as("").socket("").closeCode()).isEqualTo(4001);
        assertThat(status(as("0".repeat(64)).get(ALL))).as("forged").isEqualTo(401);
        assertThat(as("").socket("?token=forged").closeCode()).isEqualTo(4001);
        Answer late = as(expired).get(ALL);
        assertThat(late.status()).as("expired").isEqualTo(401);
        assertThat(late.body().path("type").asText()).isEqualTo("/problems/token-expired");
        assertThat(as("").socket("?token=" + expired).closeCode()).isEqualTo(4002);
        assertThat(status(as("").get("/api/v1/stream"))).isEqualTo(401);
        String removed = token("bob");
        Socket socket = as("").socket("?token=" + removed);
        command().removeUser("bob");
        assertThat(socket.closeCode()).as("of a removed user").isEqualTo(4001);
        assertThat(status(as(removed).get(ALL))).isEqualTo(401);
    }

    @Test
    void ten_thousand_wrong_passwords_are_answered_and_ten_are_looked_at() {
        List<Integer> answers = IntStream.range(0, 10_000)
                .mapToObj(i -> login("alice", "wrong" + i))
                .map(AccountsApiTest::status)
                .toList();
        assertThat(answers).containsOnly(401, 429);
        assertThat(answers.stream().filter(status -> status == 401)).hasSizeBetween(10, 20);
        Answer right = login("alice", PASSWORD);
        assertThat(right.status()).isEqualTo(429);
        assertThat(right.response().headers().firstValue("Retry-After")).contains("60");
        assertThat(right.body().toString()).doesNotContain(PASSWORD);
    }

    @Test
    void a_login_that_is_no_login_is_refused_without_repeating_what_was_given() {
        Answer extra = login("alice\",\"otp\":\"1", PASSWORD);
        assertThat(extra.status()).isEqualTo(400);
        assertThat(extra.body().path("errors").path(0).path("pointer").asText()).isEqualTo("/otp");
        Answer number = Objects.requireNonNull(nobody)
                .post("/api/v1/auth/login", "{\"identifier\":\"alice\",\"password\":12345678}");
        assertThat(number.status()).isEqualTo(400);
        assertThat(number.body().toString()).doesNotContain("12345678");
        assertThat(status(Objects.requireNonNull(nobody)
                        .send("POST", "/api/v1/auth/login", "identifier=alice", "Content-Type", "text/plain")))
                .isEqualTo(415);
    }

    @Test
    void what_only_one_user_may_see_does_not_exist_for_another() {
        TestClient alice = as(token("alice"));
        TestClient bob = as(token("bob"));
        Socket bobs = bob.socket("?token=" + token("bob") + "&view=full");
        bobs.next("snapshot_end");
        String id = define(as(token("root")), "secret-gateway", ",\"container\":\"gw\",\"owner\":\"alice\"");
        Socket alices = alice.socket("?token=" + token("alice"));
        assertThat(alices.next("service_health").path("name").asText()).isEqualTo("secret-gateway");
        for (String path : List.of("", "/status", "/events", "/uptime", "/explain")) {
            Answer answer = bob.get(ALL + "/" + id + path);
            assertThat(answer.status()).as(path).isEqualTo(404);
            assertThat(answer.body().toString()).doesNotContain("secret-gateway");
            assertThat(status(alice.get(ALL + "/" + id + path))).as(path).isEqualTo(200);
        }
        assertThat(status(bob.send("PATCH", ALL + "/" + id, "{\"enabled\":false}")))
                .isEqualTo(404);
        assertThat(status(bob.send("DELETE", ALL + "/" + id, null))).isEqualTo(404);
        assertThat(status(bob.post(ALL + "/" + id + "/check", "{}"))).isEqualTo(404);
        assertThat(status(bob.post(ALL + "/" + id + "/service-started", "{}"))).isEqualTo(404);
        assertThat(bob.get(ALL).body()).isEmpty();
        assertThat(bob.get(ALL + "?q=secret").body()).isEmpty();
        // A frame that bob does get comes after all that he does not.
        define(bob, "own", "");
        bobs.next("workspaces_changed");
        assertThat(bobs.received().toString()).doesNotContain(id, "secret-gateway");
    }

    @Test
    void a_member_sees_and_the_owner_edits_and_the_command_is_for_those_who_edit() {
        TestClient alice = as(token("alice"));
        TestClient bob = as(token("bob"));
        String id = define(alice, "shared", ",\"members\":[\"bob\"]");
        JsonNode seen = bob.get(ALL + "/" + id).body();
        assertThat(seen.path("name").asText()).isEqualTo("shared");
        assertThat(seen.has("health_check")).isFalse();
        assertThat(bob.get(ALL + "/" + id + "/events").body().findValues("health_check"))
                .isEmpty();
        assertThat(alice.get(ALL + "/" + id).body().path("health_check").asText())
                .isEqualTo("true");
        assertThat(status(bob.send("PATCH", ALL + "/" + id, "{\"health_check\":\"rm -rf /\"}")))
                .isEqualTo(403);
        assertThat(status(alice.send("PATCH", ALL + "/" + id, "{\"health_check\":\"false\"}")))
                .isEqualTo(200);
        Socket socket = bob.socket("?token=" + token("bob") + "&view=full");
        socket.next("snapshot_end");
        assertThat(status(alice.send("PATCH", ALL + "/" + id, "{\"members\":[]}")))
                .isEqualTo(200);
        assertThat(socket.next("workspace_removed").path("reason").asText()).isEqualTo("access");
        assertThat(status(bob.get(ALL + "/" + id))).isEqualTo(404);
        JsonNode events =
                alice.get(ALL + "/" + id + "/events?kind=definition").body().path("items");
        assertThat(events.findValues("health_check")).hasSize(3);
        assertThat(events.findValuesAsText("actor")).containsExactly("alice", "alice", "alice");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"container\":\"gw\"",
                "\"image\":\"debian\"",
                "\"user\":\"root\"",
                "\"workdir\":\"/\"",
                "\"owner\":\"root\"",
            })
    void only_an_administrator_reaches_beyond_a_workspace(String field) {
        TestClient alice = as(token("alice"));
        Answer refused = alice.post(ALL, "{\"name\":\"w\"," + field + "}");
        assertThat(refused.status()).isEqualTo(403);
        assertThat(refused.body().path("detail").asText()).contains("only an administrator");
        String id = define(alice, "w", "");
        assertThat(status(alice.send("PATCH", ALL + "/" + id, "{" + field + "}")))
                .isEqualTo(403);
        assertThat(status(as(token("root")).send("PATCH", ALL + "/" + id, "{" + field + "}")))
                .isEqualTo(200);
        if (!field.startsWith("\"owner")) {
            assertThat(status(alice.send("PATCH", ALL + "/" + id, "{" + field + ",\"interval\":\"5s\"}")))
                    .as("what is so already may be said")
                    .isEqualTo(200);
        }
    }

    @Test
    void users_that_do_not_exist_own_nothing() {
        Answer answer = as(token("root")).post(ALL, "{\"name\":\"w\",\"owner\":\"mallory\"}");
        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.body().path("detail").asText()).contains("owner names 'mallory'");
        assertThat(status(as(token("alice")).post(ALL, "{\"name\":\"w\",\"members\":[\"mallory\"]}")))
                .isEqualTo(400);
    }

    @Test
    void a_token_of_a_program_does_what_it_is_for() {
        TestClient root = as(token("root"));
        String one = define(root, "one", ",\"owner\":\"alice\",\"container\":\"gw\"");
        String two = define(root, "two", ",\"owner\":\"alice\"");
        TestClient confined = as(program("alice", false, Set.of("one"), Duration.ofDays(1)));
        assertThat(status(confined.get(ALL + "/" + one))).isEqualTo(200);
        assertThat(status(confined.get(ALL + "/" + two)))
                .as("outside its scope")
                .isEqualTo(404);
        assertThat(confined.get(ALL).body()).hasSize(1);
        assertThat(status(confined.post(ALL, "{\"name\":\"three\"}"))).isEqualTo(403);
        assertThat(status(confined.send("PATCH", ALL + "/" + one, "{\"interval\":\"5s\"}")))
                .isEqualTo(200);
        String secret = program("alice", true, null, Duration.ofDays(1));
        TestClient reader = as(secret);
        assertThat(reader.get(ALL).body()).hasSize(2);
        assertThat(reader.get(ALL + "/" + one).body().has("health_check")).isFalse();
        assertThat(status(reader.post(ALL + "/" + one + "/check", "{}"))).isEqualTo(403);
        assertThat(status(reader.send("DELETE", ALL + "/" + one, null))).isEqualTo(403);
        Socket socket = reader.socket("?token=" + secret);
        assertThat(socket.next("service_health").path("name").asText()).isEqualTo("one");
    }

    @Test
    void a_user_has_so_many_workspaces_and_streams_and_no_more() {
        TestClient alice = as(token("alice"));
        for (int i = 0; i < ServerFixture.LIMIT; i++) {
            define(alice, "w" + i, "");
        }
        Answer more = alice.post(ALL, "{\"name\":\"more\"}");
        assertThat(more.status()).isEqualTo(409);
        assertThat(more.body().path("type").asText()).isEqualTo("/problems/too-many-workspaces");
        String token = token("alice");
        List<Socket> sockets = IntStream.range(0, ServerFixture.LIMIT)
                .mapToObj(i -> alice.socket("?view=full&token=" + token))
                .toList();
        sockets.forEach(socket -> socket.next("snapshot_end"));
        assertThat(alice.socket("?token=" + token).closeCode()).isEqualTo(1008);
        assertThat(status(alice.get("/api/v1/stream"))).isEqualTo(429);
        sockets.get(0).cut();
        Socket next = alice.socket("?view=full&token=" + token);
        for (int i = 0; i < 100 && !next.opens(); i++) {
            next = alice.socket("?view=full&token=" + token);
        }
        assertThat(next.opens()).as("one that went makes room").isTrue();
    }

    @Test
    void another_role_ends_streams_and_their_positions() {
        String token = token("alice");
        define(as(token("root")), "everybody-elses", "");
        Socket member = as(token).socket("?view=full&token=" + token);
        JsonNode end = member.next("snapshot_end");
        command().setAdmin("alice", true);
        assertThat(member.closeCode()).isEqualTo(4001);
        Socket admin = as(token)
                .socket("?token=" + token + "&after=" + end.path("epoch").asText() + "."
                        + (end.path("rev").asLong() - 1));
        assertThat(admin.next().path("reason").asText()).isEqualTo("rights_changed");
        assertThat(admin.next("workspace_state").path("state").asText()).isEqualTo("stopped");
    }

    @ParameterizedTest
    @ValueSource(strings = {"../../etc/passwd", "a/b", "%2e%2e%2fadmin", "x\\r\\nSet-Cookie: a=b", "<script>"})
    void names_are_names_and_nothing_else(String name) {
        TestClient alice = as(token("alice"));
        Answer answer = alice.post(ALL, "{\"name\":\"" + name + "\"}");
        assertThat(answer.status()).isIn(201, 400);
        assertThat(answer.response().headers().firstValue("Set-Cookie")).isEmpty();
        for (String path : List.of("/../../etc/passwd", "/%2e%2e/%2e%2e", "/a%0d%0aSet-Cookie:%20a=b", "/%00")) {
            Answer got = alice.get(ALL + path);
            assertThat(got.status()).as(path).isIn(400, 404);
            assertThat(got.response().headers().firstValue("Set-Cookie")).isEmpty();
        }
    }

    @Test
    void a_page_of_another_origin_and_a_rebound_name_get_nothing_with_a_users_token() {
        TestClient alice = as(token("alice"));
        assertThat(status(alice.send("POST", ALL, "{\"name\":\"w\"}", "Origin", "http://evil.test")))
                .isEqualTo(403);
        assertThat(status(alice.send("POST", "/api/v1/auth/login", "{}", "Origin", "http://evil.test")))
                .isEqualTo(403);
        assertThat(status(alice.send("GET", ALL, null, "Host", "evil.test"))).isEqualTo(421);
    }
}
