package org.klangk.health.server.auth;

import com.github.benmanes.caffeine.cache.Ticker;
import java.io.Serial;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.klangk.health.frame.Position;
import org.klangk.health.random.Unguessable;
import org.klangk.health.writer.OverloadedException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * Users who log in. What every request asks is answered from memory, which follows the file within a second when somebody else
 * changes it. May be used on any thread; signals arrive on threads that may block.
 */
public final class Accounts implements Authenticator, AutoCloseable {
    /** How long an access token is good for. */
    public static final Duration ACCESS = Duration.ofMinutes(15);
    /** How long a login can be kept up without the password. */
    public static final Duration REFRESH = Duration.ofDays(30);

    private static final long LOOK_MILLIS = 1_000;
    /** For so long it is remembered that a token expired, rather than that it never was. */
    private static final Duration REMEMBERED = Duration.ofDays(7);

    private static final Duration SWEEP = Duration.ofHours(1);
    private static final int LONGEST_IDENTIFIER = 256;
    private static final int HASHING = 2;
    private static final int WAITING = 64;
    private static final Logger log = LoggerFactory.getLogger(Accounts.class);

    private record Known(Map<String, User> users, Map<String, Token> tokens) {}

    /**
     * What a login gives.
     *
     * @param access for requests
     * @param refresh for new tokens, once
     */
    public record Tokens(String access, String refresh) {}

    /** Too many failed logins. */
    public static final class TooManyAttemptsException extends RuntimeException {
        @Serial
        private static final long serialVersionUID = 1;

        TooManyAttemptsException() {
            super("too many failed logins; try again in a minute", null, false, false);
        }
    }

    private final AccountStore store;
    private final Clock clock;
    private final Attempts attempts;
    private final Scheduler files = Schedulers.newBoundedElastic(1, 1_000, "klangk-accounts");
    private final Scheduler hashing = Schedulers.newBoundedElastic(HASHING, WAITING, "klangk-passwords");
    private volatile Known known = new Known(Map.of(), Map.of());
    private volatile @Nullable Supplier<Position> end;
    private long version = -1;
    private Instant sweptAt = Instant.MIN;

    private Accounts(AccountStore store, Clock clock, Ticker ticker) {
        this.store = store;
        this.clock = clock;
        this.attempts = new Attempts(ticker);
    }

    /** The accounts of {@code store}, which is closed with them. */
    public static Accounts of(AccountStore store) {
        return of(store, Clock.systemUTC(), Ticker.systemTicker());
    }

    static Accounts of(AccountStore store, Clock clock, Ticker ticker) {
        return new Accounts(store, clock, ticker);
    }

    /**
     * Reads the accounts and follows them from now on; completes when they were read.
     *
     * @param logEnd where the log ends, to say where in it rights changed
     */
    public Mono<Void> follow(Supplier<Position> logEnd) {
        end = logEnd;
        return onFiles(() -> {
                    look();
                    return true;
                })
                .doOnSuccess(read ->
                        files.schedulePeriodically(this::lookSafely, LOOK_MILLIS, LOOK_MILLIS, TimeUnit.MILLISECONDS))
                .then();
    }

    private void lookSafely() {
        try {
            look();
        } catch (RuntimeException e) {
            log.error("the accounts cannot be read; who may ask is what it was", e);
        }
    }

    private void look() {
        Instant now = clock.instant();
        if (sweptAt.plus(SWEEP).isBefore(now) || sweptAt.equals(Instant.MIN)) {
            store.forgetExpired(now.minus(REMEMBERED));
            sweptAt = now;
            read();
        }
        if (store.version() != version) {
            read();
        }
    }

    private void read() {
        version = store.version();
        List<User> users = store.users();
        Supplier<Position> position = end;
        if (position != null && users.stream().anyMatch(user -> User.UNPLACED.equals(user.rights()))) {
            store.place(position.get().toString());
            users = store.users();
        }
        Map<String, User> byName = new HashMap<>();
        users.forEach(user -> byName.put(user.name(), user));
        Map<String, Token> byHash = new HashMap<>();
        store.tokens().forEach(token -> byHash.put(token.hash(), token));
        known = new Known(byName, byHash);
    }

    /** Whether nobody can log in yet. */
    public boolean isEmpty() {
        return known.users().isEmpty();
    }

    @Override
    public Proof check(@Nullable String authorization, @Nullable String parameter) {
        String secret = Bearer.token(authorization, parameter);
        return secret == null ? Proof.Denied.INVALID : byHash(Token.hash(secret));
    }

    @Override
    public Proof again(Caller caller) {
        Proof proof = byHash(caller.credential());
        return !(proof instanceof Proof.Admitted admitted) || admitted.caller().equals(caller)
                ? proof
                : Proof.Denied.INVALID;
    }

    /** A hash is looked up, not the secret: what its lookup takes tells nothing of the secret. */
    private Proof byHash(String hash) {
        Known now = known;
        Token token = now.tokens().get(hash);
        User user = token == null ? null : now.users().get(token.user());
        if (token == null || user == null || token.kind() == Token.Kind.REFRESH || token.kind() == Token.Kind.USED) {
            return Proof.Denied.INVALID;
        }
        return token.expiresAt().isAfter(clock.instant())
                ? new Proof.Admitted(
                        new Caller(user.name(), user.admin(), token.readOnly(), token.only(), hash, position(user)))
                : Proof.Denied.EXPIRED;
    }

    @Override
    public boolean knows(String user) {
        return known.users().containsKey(user);
    }

    private static @Nullable Position position(User user) {
        return user.rights() == null || user.rights().equals(User.UNPLACED) ? null : Position.parse(user.rights());
    }

    /**
     * New tokens for the user of this name and password; empty when they are not right. Fails with
     * {@link TooManyAttemptsException} and, when too many log in at once, {@link OverloadedException}.
     *
     * @param address where the attempt comes from
     */
    public Mono<Tokens> login(String identifier, String password, String address) {
        return Mono.defer(() -> {
            if (identifier.length() > LONGEST_IDENTIFIER) {
                return Mono.<Tokens>empty();
            }
            if (!attempts.begin(identifier, address)) {
                return Mono.<Tokens>error(new TooManyAttemptsException());
            }
            return onFiles(() -> Optional.ofNullable(store.passwordHash(identifier)))
                    .flatMap(hash -> on(hashing, () -> store.passwords().matches(password, hash.orElse(null)))
                            .filter(right -> right)
                            .doOnNext(right -> attempts.succeeded(identifier, address))
                            // Another password may have been given to the user meanwhile.
                            .flatMap(right ->
                                    onFiles(() -> hash.equals(Optional.ofNullable(store.passwordHash(identifier)))
                                            ? Optional.of(give(identifier, Unguessable.hex(8)))
                                            : Optional.<Tokens>empty()))
                            .flatMap(Mono::justOrEmpty));
        });
    }

    /** New tokens for a refresh token, which is used up; empty when it is not accepted. */
    public Mono<Tokens> refresh(String secret) {
        return onFiles(() -> {
                    // What another server or command did meanwhile counts.
                    look();
                    return Optional.ofNullable(known.tokens().get(Token.hash(secret)));
                })
                .flatMap(Mono::justOrEmpty)
                .flatMap(token -> onFiles(() -> Optional.ofNullable(renewed(token))))
                .flatMap(Mono::justOrEmpty);
    }

    private @Nullable Tokens renewed(Token token) {
        if (token.kind() != Token.Kind.REFRESH && token.kind() != Token.Kind.USED) {
            return null;
        }
        if (!store.use(token)) {
            log.warn("a refresh token of user {} came a second time; its login is ended", token.user());
            store.endFamily(token.family());
            read();
            return null;
        }
        if (!token.expiresAt().isAfter(clock.instant()) || !known.users().containsKey(token.user())) {
            read();
            return null;
        }
        return give(token.user(), token.family());
    }

    private Tokens give(String user, String family) {
        Instant now = clock.instant();
        Token.Issued access = Token.ofLogin(Token.Kind.ACCESS, user, family, now, ACCESS);
        Token.Issued refresh = Token.ofLogin(Token.Kind.REFRESH, user, family, now, REFRESH);
        store.addToken(access.token());
        store.addToken(refresh.token());
        read();
        return new Tokens(access.secret(), refresh.secret());
    }

    /** Ends the login that the caller's token is of; a program's token stays. */
    public Mono<Void> logout(Caller caller) {
        return onFiles(() -> {
                    Token token = known.tokens().get(caller.credential());
                    if (token != null && token.kind() == Token.Kind.ACCESS) {
                        store.endFamily(token.family());
                        read();
                    }
                    return true;
                })
                .then();
    }

    private <T> Mono<T> onFiles(Callable<T> work) {
        return on(files, work);
    }

    private static <T> Mono<T> on(Scheduler scheduler, Callable<T> work) {
        return Mono.fromCallable(work)
                .subscribeOn(scheduler)
                .onErrorMap(
                        RejectedExecutionException.class,
                        e -> new OverloadedException("as many logins as can be taken"));
    }

    @Override
    public void close() {
        hashing.dispose();
        files.disposeGracefully().block(Duration.ofSeconds(5));
        store.close();
    }
}
