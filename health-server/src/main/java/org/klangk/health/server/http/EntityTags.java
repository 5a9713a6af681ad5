package org.klangk.health.server.http;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Entity tags of a conditional request (RFC 9110, section 13.1.2). Pure. */
final class EntityTags {
    private static final String WEAK = "W/";

    private EntityTags() {}

    /** Whether {@code tag} is among those of an {@code If-None-Match}; weakly compared, as that header is. */
    static boolean among(@Nullable String ifNoneMatch, String tag) {
        return ifNoneMatch != null
                && Arrays.stream(ifNoneMatch.split(",", -1))
                        .map(String::strip)
                        .anyMatch(one -> one.equals("*") || opaque(one).equals(opaque(tag)));
    }

    private static String opaque(String tag) {
        return tag.startsWith(WEAK) ? tag.substring(WEAK.length()) : tag;
    }
}
