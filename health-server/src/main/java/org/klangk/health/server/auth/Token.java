package org.klangk.health.server.auth;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.klangk.health.random.Unguessable;

/**
 * A token that was given out, as it is kept: what proves it is kept as a hash only.
 *
 * @param hash SHA-256 of the secret in hexadecimal; the secret is random enough to need no salt
 * @param id names it where the secret must not be shown
 * @param kind what it is good for
 * @param user whose it is
 * @param family what ends together: the tokens of one login
 * @param label what its owner calls it, null for those of a login
 * @param createdAt when it was given out
 * @param expiresAt from when on it is no longer accepted
 * @param readOnly whether nothing can be changed with it
 * @param only the workspaces it is confined to, null when it is not
 */
public record Token(
        String hash,
        String id,
        Kind kind,
        String user,
        String family,
        @Nullable String label,
        Instant createdAt,
        Instant expiresAt,
        boolean readOnly,
        @Nullable Set<String> only) {
    private static final int SECRET_BYTES = 32;
    private static final int ID_BYTES = 8;

    /** What a token is good for. */
    public enum Kind {
        /** For requests, for a short time. */
        ACCESS,
        /** For new tokens, once. */
        REFRESH,
        /** It was for new tokens; who comes with it again has stolen it, or was stolen from. */
        USED,
        /** For requests of a program, for as long as its owner said. */
        API
    }

    public Token {
        only = only == null ? null : Set.copyOf(only);
    }

    /**
     * A token and its secret, which is nowhere else.
     *
     * @param secret for the one who may use it
     */
    public record Issued(String secret, Token token) {}

    /**
     * A token for a program of this user.
     *
     * @param label what it is for
     * @param life how long it is good for
     */
    public static Issued forProgram(
            String user, String label, boolean readOnly, @Nullable Set<String> only, Instant now, Duration life) {
        String secret = Unguessable.hex(SECRET_BYTES);
        String id = Unguessable.hex(ID_BYTES);
        return new Issued(
                secret, new Token(hash(secret), id, Kind.API, user, id, label, now, now.plus(life), readOnly, only));
    }

    /** A token of a login, {@code family}, of this user. */
    static Issued ofLogin(Kind kind, String user, String family, Instant now, Duration life) {
        String secret = Unguessable.hex(SECRET_BYTES);
        return new Issued(
                secret,
                new Token(
                        hash(secret),
                        Unguessable.hex(ID_BYTES),
                        kind,
                        user,
                        family,
                        null,
                        now,
                        now.plus(life),
                        false,
                        null));
    }

    /** Under what a secret is found. */
    static String hash(String secret) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            return HexFormat.of().formatHex(digest.digest(secret.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
