package org.klangk.health.server.auth;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Users and tokens in a file of the data directory, {@code accounts.db} (0600). A server and the commands that change accounts
 * beside it may have it open at once. Blocks; one thread at a time. Everything fails with {@link AccountException}.
 */
public final class AccountStore implements AutoCloseable {
    private static final int LONGEST_NAME = 63;
    /** Tokens of one user and kind; the oldest make room for logins, API tokens are refused. */
    static final int MOST_TOKENS = 200;

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final TypeReference<TreeSet<String>> TEXTS = new TypeReference<>() {};

    private final AccountDatabase database;
    private final Passwords passwords;

    private AccountStore(AccountDatabase database, Passwords passwords) {
        this.database = database;
        this.passwords = passwords;
    }

    /** The accounts in {@code dataDir}, which is there and private already; none at first. */
    public static AccountStore open(Path dataDir) {
        return open(dataDir, Passwords.COST);
    }

    /**
     * The same with another cost of hashing passwords.
     *
     * @param cost the logarithm of the rounds, 4 to 31
     */
    public static AccountStore open(Path dataDir, int cost) {
        return new AccountStore(AccountDatabase.open(dataDir.resolve("accounts.db")), new Passwords(cost));
    }

    /** Adds a user. */
    public void addUser(String name, String password, boolean admin, Instant at) {
        if (name.isBlank() || name.length() > LONGEST_NAME || name.chars().anyMatch(c -> c <= ' ' || c == 0x7f)) {
            throw new AccountException("user name '" + Names.shown(name) + "': 1 to " + LONGEST_NAME
                    + " characters without spaces or control characters are accepted");
        }
        String hash = passwords.hash(password);
        int added = database.update(
                "INSERT INTO user VALUES (?, ?, ?, ?, NULL) ON CONFLICT DO NOTHING",
                name,
                hash,
                admin ? 1 : 0,
                at.toEpochMilli());
        if (added == 0) {
            throw new AccountException("user name '" + name + "' is taken");
        }
    }

    /** Gives a user another password and ends what they logged in to with the old one; tokens of programs stay. */
    public void setPassword(String name, String password) {
        String hash = passwords.hash(password);
        database.together(() -> {
            require(name, database.update("UPDATE user SET password = ? WHERE name = ?", hash, name));
            database.update("DELETE FROM token WHERE user = ? AND kind <> ?", name, Token.Kind.API.name());
        });
    }

    /** Makes a user an administrator, or a member again. */
    public void setAdmin(String name, boolean admin) {
        int value = admin ? 1 : 0;
        require(
                name,
                database.update(
                        "UPDATE user SET rights = CASE WHEN admin = ? THEN rights ELSE ? END, admin = ? WHERE name = ?",
                        value,
                        User.UNPLACED,
                        value,
                        name));
    }

    /** Removes a user and ends all their tokens; what they own stays. */
    public void removeUser(String name) {
        require(name, database.update("DELETE FROM user WHERE name = ?", name));
    }

    private static void require(String name, int changed) {
        if (changed == 0) {
            throw new AccountException("there is no user '" + Names.shown(name) + "'");
        }
    }

    /** Every user, by name. */
    public List<User> users() {
        return database.select(
                row -> new User(
                        row.getString("name"),
                        row.getBoolean("admin"),
                        Instant.ofEpochMilli(row.getLong("created_at")),
                        row.getString("rights")),
                "SELECT name, admin, created_at, rights FROM user ORDER BY name");
    }

    Passwords passwords() {
        return passwords;
    }

    /** The hash of a user's password; null when there is no such user. */
    @Nullable
    String passwordHash(String name) {
        List<String> found = database.select(row -> row.getString(1), "SELECT password FROM user WHERE name = ?", name);
        return found.isEmpty() ? null : found.get(0);
    }

    /** Says of users whose rights changed that it was at {@code position}. */
    void place(String position) {
        database.update("UPDATE user SET rights = ? WHERE rights = ?", position, User.UNPLACED);
    }

    /** Keeps a token; of those that a login makes only the latest ones stay. */
    public void addToken(Token token) {
        database.together(() -> add(token));
    }

    private void add(Token token) {
        if (token.kind() == Token.Kind.API) {
            long there = database.select(
                            row -> row.getLong(1),
                            "SELECT count(*) FROM token WHERE user = ? AND kind = ?",
                            token.user(),
                            token.kind().name())
                    .get(0);
            if (there >= MOST_TOKENS) {
                throw new AccountException("user '" + token.user() + "' has " + there
                        + " tokens; that many are accepted, revoke one first");
            }
        }
        int added = database.update(
                "INSERT INTO token SELECT ?, ?, ?, name, ?, ?, ?, ?, ?, ? FROM user WHERE name = ?",
                token.hash(),
                token.id(),
                token.kind().name(),
                token.family(),
                token.label(),
                token.createdAt().toEpochMilli(),
                token.expiresAt().toEpochMilli(),
                token.readOnly() ? 1 : 0,
                token.only() == null ? null : written(token.only()),
                token.user());
        require(token.user(), added);
        database.update(
                "DELETE FROM token WHERE user = ?1 AND kind = ?2 AND hash NOT IN"
                        + " (SELECT hash FROM token WHERE user = ?1 AND kind = ?2 ORDER BY created_at DESC LIMIT "
                        + MOST_TOKENS + ")",
                token.user(),
                token.kind().name());
    }

    private static String written(Set<String> texts) {
        try {
            return JSON.writeValueAsString(new TreeSet<>(texts));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }

    private static @Nullable Set<String> read(@Nullable String texts) {
        try {
            return texts == null ? null : JSON.readValue(texts, TEXTS);
        } catch (JsonProcessingException e) {
            throw new AccountException("a token's workspaces cannot be read", e);
        }
    }

    /** Every token, expired ones included for as long as they are kept. */
    public List<Token> tokens() {
        return database.select(
                row -> new Token(
                        row.getString("hash"),
                        row.getString("id"),
                        Token.Kind.valueOf(row.getString("kind").toUpperCase(Locale.ROOT)),
                        row.getString("user"),
                        row.getString("family"),
                        row.getString("label"),
                        Instant.ofEpochMilli(row.getLong("created_at")),
                        Instant.ofEpochMilli(row.getLong("expires_at")),
                        row.getBoolean("read_only"),
                        read(row.getString("workspaces"))),
                "SELECT * FROM token ORDER BY user, created_at");
    }

    /** Ends a token of a program. */
    public void revoke(String id) {
        int ended = database.update("DELETE FROM token WHERE id = ? AND kind = ?", id, Token.Kind.API.name());
        if (ended == 0) {
            throw new AccountException("there is no token '" + Names.shown(id) + "'; klangkd token ls lists them");
        }
    }

    /** Ends all tokens of one login. */
    void endFamily(String family) {
        database.update("DELETE FROM token WHERE family = ?", family);
    }

    /** Uses a refresh token up; false when it was already, or has ended. */
    boolean use(Token token) {
        return database.update(
                        "UPDATE token SET kind = ? WHERE hash = ? AND kind = ?",
                        Token.Kind.USED.name(),
                        token.hash(),
                        Token.Kind.REFRESH.name())
                > 0;
    }

    /** Forgets tokens that expired before {@code then}. */
    void forgetExpired(Instant then) {
        database.update("DELETE FROM token WHERE expires_at < ?", then.toEpochMilli());
    }

    /** Another number after every change that somebody else made. */
    long version() {
        return database.select(row -> row.getLong(1), "PRAGMA data_version").get(0);
    }

    @Override
    public void close() {
        database.close();
    }
}
