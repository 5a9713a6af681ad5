package org.klangk.health.server.auth;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Decides whether a caller may ask. Pure; may be used on any thread. */
public final class Authenticator {
    /** Who asks. */
    public record Caller(String name, boolean admin) {
        /** The one user of a server without accounts. */
        public static final Caller LOCAL = new Caller("local", true);
    }

    private static final String BEARER = "Bearer ";

    private final @Nullable String token;

    private Authenticator(@Nullable String token) {
        this.token = token;
    }

    /** Everybody may ask. */
    public static Authenticator none() {
        return new Authenticator(null);
    }

    /** Whoever has the token may ask. */
    public static Authenticator local(String token) {
        return new Authenticator(token);
    }

    /**
     * Who asks; empty when that is not proven.
     *
     * @param authorization the header's value, null when there is none
     * @param parameter a token in the query, null when there is none or none is looked at
     */
    public Optional<Caller> caller(@Nullable String authorization, @Nullable String parameter) {
        if (token == null) {
            return Optional.of(Caller.LOCAL);
        }
        String given = authorization != null && authorization.regionMatches(true, 0, BEARER, 0, BEARER.length())
                ? authorization.substring(BEARER.length()).strip()
                : parameter;
        return given != null && same(given, token) ? Optional.of(Caller.LOCAL) : Optional.empty();
    }

    /** Takes as long for a token that is nearly right as for any other. */
    private static boolean same(String one, String other) {
        return MessageDigest.isEqual(one.getBytes(StandardCharsets.UTF_8), other.getBytes(StandardCharsets.UTF_8));
    }
}
