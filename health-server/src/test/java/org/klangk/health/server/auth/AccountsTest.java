package org.klangk.health.server.auth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.benmanes.caffeine.cache.Ticker;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.klangk.health.frame.Position;
import org.klangk.health.server.auth.Accounts.Tokens;
import reactor.core.publisher.Flux;

/** Users and their tokens, in a real file. */
@Tag("long")
class AccountsTest {
    private static final Duration LONG = Duration.ofSeconds(20);
    private static final String PASSWORD = "correct horse";
    private static final int COST = 4;
    private static final Position END = new Position("E", 7);

    /** A clock that is set. */
    private static final class SetClock extends Clock {
        private Instant now = Instant.parse("2026-11-30T10:00:00Z");

        @Override
        public ZoneId getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
            return this;
        }

        @Override
        public Instant instant() {
            return now;
        }
    }

    @TempDir
    private Path directory = Path.of("");

    private final SetClock clock = new SetClock();
    private @Nullable Accounts opened;
    /** What a command beside the server has open. */
    private @Nullable AccountStore command;

    @BeforeEach
    void open() {
        command = AccountStore.open(directory, COST);
        command().addUser("alice", PASSWORD, true, clock.instant());
        command().addUser("bob", PASSWORD, false, clock.instant());
        opened = Accounts.of(AccountStore.open(directory, COST), clock, Ticker.systemTicker());
        accounts().follow(() -> END).block(LONG);
    }

    @AfterEach
    void close() {
        accounts().close();
        command().close();
    }

    private Accounts accounts() {
        return Objects.requireNonNull(opened);
    }

    private AccountStore command() {
        return Objects.requireNonNull(command);
    }

    private @Nullable Tokens login(String name, String password) {
        return accounts().login(name, password, "127.0.0.1").block(LONG);
    }

    private Tokens loggedIn(String name) {
        return Objects.requireNonNull(login(name, PASSWORD));
    }

    private Proof proof(String secret) {
        return accounts().check("Bearer " + secret, null);
    }

    private Caller caller(String secret) {
        assertThat(proof(secret)).isInstanceOf(Proof.Admitted.class);
        return ((Proof.Admitted) proof(secret)).caller();
    }

    /** Until the server has noticed what a command did beside it. */
    private void await(String secret, Proof expected) {
        Flux.interval(Duration.ofMillis(20))
                .onBackpressureDrop()
                .map(tick -> proof(secret))
                .takeUntil(expected::equals)
                .blockLast(LONG);
        assertThat(proof(secret)).isEqualTo(expected);
    }

    @Test
    void a_login_gives_a_token_that_is_the_user() {
        Tokens tokens = loggedIn("bob");
        Caller caller = caller(tokens.access());
        assertThat(caller.user()).isEqualTo("bob");
        assertThat(caller.admin()).isFalse();
        assertThat(accounts().check(null, tokens.access())).as("as parameter").isEqualTo(proof(tokens.access()));
        assertThat(caller(loggedIn("alice").access()).admin()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "wrong horse", "correct horse ", "CORRECT HORSE"})
    void a_wrong_password_gives_nothing(String password) {
        assertThat(login("bob", password)).isNull();
    }

    @Test
    void nor_does_a_user_that_is_not_there_nor_a_password_longer_than_any_that_is_kept() {
        assertThat(login("mallory", PASSWORD)).isNull();
        assertThat(login("x".repeat(100_000), PASSWORD)).isNull();
        assertThat(login("bob", PASSWORD + "x".repeat(100))).isNull();
    }

    @Test
    void a_token_is_good_for_what_it_was_made_for_and_for_as_long() {
        Tokens tokens = loggedIn("bob");
        assertThat(proof(tokens.refresh())).as("no request with it").isEqualTo(Proof.Denied.INVALID);
        assertThat(accounts().refresh(tokens.access()).block(LONG))
                .as("no refresh with it")
                .isNull();
        clock.now = clock.now.plus(Accounts.ACCESS);
        assertThat(proof(tokens.access())).isEqualTo(Proof.Denied.EXPIRED);
        Tokens next =
                Objects.requireNonNull(accounts().refresh(tokens.refresh()).block(LONG));
        assertThat(caller(next.access()).user()).isEqualTo("bob");
        clock.now = clock.now.plus(Accounts.REFRESH);
        assertThat(accounts().refresh(next.refresh()).block(LONG)).isNull();
    }

    @Test
    void a_refresh_token_that_comes_twice_ends_its_login() {
        Tokens tokens = loggedIn("bob");
        Tokens other = loggedIn("bob");
        Tokens next =
                Objects.requireNonNull(accounts().refresh(tokens.refresh()).block(LONG));
        assertThat(accounts().refresh(tokens.refresh()).block(LONG)).isNull();
        assertThat(proof(next.access())).isEqualTo(Proof.Denied.INVALID);
        assertThat(accounts().refresh(next.refresh()).block(LONG)).isNull();
        assertThat(caller(other.access()).user()).as("another login").isEqualTo("bob");
    }

    @Test
    void logging_out_ends_one_login() {
        Tokens tokens = loggedIn("bob");
        Tokens other = loggedIn("bob");
        Caller caller = caller(tokens.access());
        accounts().logout(caller).block(LONG);
        assertThat(proof(tokens.access())).isEqualTo(Proof.Denied.INVALID);
        assertThat(accounts().again(caller)).isEqualTo(Proof.Denied.INVALID);
        assertThat(accounts().refresh(tokens.refresh()).block(LONG)).isNull();
        assertThat(proof(other.access())).isInstanceOf(Proof.Admitted.class);
    }

    @Test
    void another_password_ends_logins_and_leaves_tokens_of_programs() {
        Tokens tokens = loggedIn("bob");
        Token.Issued pager = Token.forProgram("bob", "pager", true, Set.of("gateway"), clock.instant(), LONG);
        command().addToken(pager.token());
        command().setPassword("bob", "another horse");
        await(tokens.access(), Proof.Denied.INVALID);
        assertThat(login("bob", PASSWORD)).isNull();
        assertThat(login("bob", "another horse")).isNotNull();
        Caller program = caller(pager.secret());
        assertThat(program.readOnly()).isTrue();
        assertThat(program.only()).containsExactly("gateway");
        command().revoke(pager.token().id());
        await(pager.secret(), Proof.Denied.INVALID);
        assertThatThrownBy(() -> command().revoke(pager.token().id()))
                .isInstanceOf(AccountException.class)
                .hasMessageContaining(pager.token().id());
    }

    @Test
    void a_removed_user_is_nobody_and_so_is_their_token() {
        Tokens tokens = loggedIn("bob");
        command().removeUser("bob");
        await(tokens.access(), Proof.Denied.INVALID);
        assertThat(accounts().refresh(tokens.refresh()).block(LONG)).isNull();
        assertThat(login("bob", PASSWORD)).isNull();
        command().addUser("bob", PASSWORD, false, clock.instant());
        assertThat(proof(tokens.access())).as("a new bob is not the old one").isEqualTo(Proof.Denied.INVALID);
    }

    @Test
    void another_role_dismisses_and_is_placed_in_the_log() {
        Tokens tokens = loggedIn("bob");
        Caller member = caller(tokens.access());
        assertThat(member.rightsSince()).isNull();
        command().setAdmin("bob", false);
        command().setAdmin("bob", true);
        Proof expected = new Proof.Admitted(new Caller("bob", true, false, null, member.credential(), END));
        await(tokens.access(), expected);
        assertThat(accounts().again(member)).isEqualTo(Proof.Denied.INVALID);
    }

    @Test
    void what_a_server_did_not_see_is_placed_when_it_starts() {
        command().setAdmin("bob", true);
        try (Accounts later = Accounts.of(AccountStore.open(directory, COST), clock, Ticker.systemTicker())) {
            later.follow(() -> END).block(LONG);
            Tokens tokens =
                    Objects.requireNonNull(later.login("bob", PASSWORD, "::1").block(LONG));
            Proof proof = later.check("bearer " + tokens.access(), null);
            assertThat(((Proof.Admitted) proof).caller().rightsSince()).isEqualTo(END);
        }
    }

    @Test
    void too_many_wrong_passwords_are_not_looked_at() {
        for (int i = 0; i < Attempts.PER_NAME_AND_ADDRESS; i++) {
            assertThat(login("bob", "wrong horse " + i)).isNull();
        }
        assertThatThrownBy(() -> login("bob", PASSWORD)).isInstanceOf(Accounts.TooManyAttemptsException.class);
        assertThat(accounts().login("bob", PASSWORD, "10.0.0.1").block(LONG))
                .as("from elsewhere")
                .isNotNull();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "a b",
                "a\nb",
                "\u0007",
                "0123456789012345678901234567890123456789012345678901234567890123"
            })
    void names_that_would_be_trouble_are_refused(String name) {
        assertThatThrownBy(() -> command().addUser(name, PASSWORD, false, clock.instant()))
                .isInstanceOf(AccountException.class)
                .hasMessageContaining("are accepted");
    }

    @Test
    void so_are_passwords_that_are_no_use_and_names_that_are_taken_or_unknown() {
        assertThatThrownBy(() -> command().addUser("carol", "short", false, clock.instant()))
                .hasMessageContaining("at least 8 characters");
        assertThatThrownBy(() -> command().setPassword("bob", "é".repeat(37))).hasMessageContaining("at most 72 bytes");
        assertThatThrownBy(() -> command().addUser("bob", PASSWORD, true, clock.instant()))
                .hasMessageContaining("'bob' is taken");
        assertThatThrownBy(() -> command().setPassword("carol", PASSWORD)).hasMessageContaining("no user 'carol'");
        assertThatThrownBy(() -> command().setAdmin("carol", true)).hasMessageContaining("no user 'carol'");
        assertThatThrownBy(() -> command().removeUser("carol")).hasMessageContaining("no user 'carol'");
        assertThatThrownBy(() -> command()
                        .addToken(Token.forProgram("carol", "x", false, null, clock.instant(), LONG)
                                .token()))
                .hasMessageContaining("no user 'carol'");
    }

    @Test
    void only_so_many_logins_of_a_user_are_kept() {
        Tokens first = loggedIn("bob");
        for (int i = 0; i < AccountStore.MOST_TOKENS; i++) {
            clock.now = clock.now.plusMillis(1);
            command()
                    .addToken(Token.ofLogin(Token.Kind.ACCESS, "bob", "f" + i, clock.instant(), LONG)
                            .token());
        }
        await(first.access(), Proof.Denied.INVALID);
    }

    @Test
    void no_secret_is_in_the_file_and_the_file_is_private() throws IOException {
        Tokens tokens = loggedIn("bob");
        try (Stream<Path> files = Files.list(directory)) {
            for (Path file : files.toList()) {
                String bytes = new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
                assertThat(bytes).doesNotContain(PASSWORD, tokens.access(), tokens.refresh());
                assertThat(Files.getPosixFilePermissions(file))
                        .as("%s", file)
                        .isEqualTo(PosixFilePermissions.fromString("rw-------"));
            }
        }
    }
}
