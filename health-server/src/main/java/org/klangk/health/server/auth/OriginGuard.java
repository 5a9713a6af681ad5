package org.klangk.health.server.auth;

import java.net.InetAddress;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Keeps web pages of others out: a browser names the host it believes to talk to and the page that asks, and neither can be
 * forged by that page. Pure.
 */
public final class OriginGuard {
    /**
     * Why a request is refused.
     *
     * @param status the HTTP status
     * @param detail for a person
     */
    public record Refusal(int status, String detail) {}

    /**
     * What of a request is looked at; null is a header that is missing.
     *
     * @param sensitive whether it is a write or opens a stream
     * @param body whether it carries a document
     */
    public record Asked(
            @Nullable String host,
            @Nullable String origin,
            @Nullable String fetchSite,
            @Nullable String contentType,
            boolean sensitive,
            boolean body) {}

    private final InetAddress listen;
    private final Set<String> names;

    /**
     * A guard.
     *
     * @param listen the address listened on
     * @param names further names by which the server may be asked
     */
    public OriginGuard(InetAddress listen, Set<String> names) {
        this.listen = listen;
        this.names = names;
    }

    /** Why the request is refused; empty when it is not. */
    public Optional<Refusal> refuse(Asked asked) {
        if (asked.host() == null || !ours(hostPart(asked.host()))) {
            return Optional.of(new Refusal(421, "the host name asked for is not one of this server's"));
        }
        if (!asked.sensitive()) {
            return Optional.empty();
        }
        if ("cross-site".equalsIgnoreCase(asked.fetchSite()) || foreign(asked.origin(), asked.host())) {
            return Optional.of(new Refusal(403, "a page of another origin may not do this"));
        }
        if (asked.body() && !json(asked.contentType())) {
            return Optional.of(new Refusal(415, "content type application/json is accepted"));
        }
        return Optional.empty();
    }

    private static boolean foreign(@Nullable String origin, String host) {
        return origin != null
                && !origin.equalsIgnoreCase("http://" + host)
                && !origin.equalsIgnoreCase("https://" + host);
    }

    private static boolean json(@Nullable String contentType) {
        return contentType != null
                && contentType.split(";", 2)[0].strip().toLowerCase(Locale.ROOT).equals("application/json");
    }

    private static String hostPart(String host) {
        int colon = host.startsWith("[") ? host.indexOf(':', host.indexOf(']')) : host.indexOf(':');
        return (colon < 0 ? host : host.substring(0, colon)).toLowerCase(Locale.ROOT);
    }

    private boolean ours(String name) {
        if (names.contains(name)) {
            return true;
        }
        boolean wildcard = listen.isAnyLocalAddress();
        if (name.equals("localhost")) {
            return wildcard || listen.isLoopbackAddress();
        }
        // A page can rebind a name of its own to our address, but it cannot turn an address into a name.
        boolean literal = name.matches("\\d{1,3}(\\.\\d{1,3}){3}|\\[[0-9a-f:.]+]");
        return literal && (wildcard || name.replaceAll("[\\[\\]]", "").equals(text(listen)));
    }

    private static String text(InetAddress address) {
        String text = address.getHostAddress();
        return text.equals("0:0:0:0:0:0:0:1") ? "::1" : text;
    }
}
