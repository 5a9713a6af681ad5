package org.klangk.health.server.auth;

import org.jspecify.annotations.Nullable;

/** The token of a request (RFC 6750). Pure. */
final class Bearer {
    private static final String SCHEME = "Bearer ";

    private Bearer() {}

    /** The header's token, else the parameter; null when there is none. */
    static @Nullable String token(@Nullable String authorization, @Nullable String parameter) {
        return authorization != null && authorization.regionMatches(true, 0, SCHEME, 0, SCHEME.length())
                ? authorization.substring(SCHEME.length()).strip()
                : parameter;
    }
}
