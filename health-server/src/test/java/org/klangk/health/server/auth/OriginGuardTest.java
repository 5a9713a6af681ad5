package org.klangk.health.server.auth;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.klangk.health.server.auth.OriginGuard.Asked;

class OriginGuardTest {
    private static int refusal(String listen, Asked asked) throws UnknownHostException {
        return new OriginGuard(InetAddress.getByName(listen), Set.of("health.test"))
                .refuse(asked)
                .map(OriginGuard.Refusal::status)
                .orElse(0);
    }

    @ParameterizedTest
    @CsvSource({
        "127.0.0.1, 127.0.0.1:8997, 0",
        "127.0.0.1, 127.0.0.1, 0",
        "127.0.0.1, LOCALHOST:8997, 0",
        "127.0.0.1, health.test, 0",
        "127.0.0.1, evil.test, 421",
        "127.0.0.1, 127.0.0.1.evil.test, 421",
        "127.0.0.1, 10.0.0.1, 421",
        "127.0.0.1, '', 421",
        "127.0.0.1, , 421",
        "::1, [::1]:8997, 0",
        "::1, localhost, 0",
        "0.0.0.0, 10.1.2.3:8997, 0",
        "0.0.0.0, [fe80::1]:8997, 0",
        "0.0.0.0, evil.test, 421",
        "10.1.2.3, 10.1.2.3, 0",
        "10.1.2.3, localhost, 421",
    })
    void only_our_own_hosts_are_served(String listen, @Nullable String host, int status) throws UnknownHostException {
        assertThat(refusal(listen, new Asked(host, null, null, null, false, false)))
                .isEqualTo(status);
    }

    @ParameterizedTest
    @CsvSource({
        ", , 0",
        "http://127.0.0.1:8997, same-origin, 0",
        "https://127.0.0.1:8997, , 0",
        "http://127.0.0.1:9999, same-site, 403",
        "http://evil.test, cross-site, 403",
        "null, , 403",
        ", cross-site, 403",
        ", none, 0",
    })
    void only_our_own_pages_may_write_or_stream(@Nullable String origin, @Nullable String site, int status)
            throws UnknownHostException {
        Asked asked = new Asked("127.0.0.1:8997", origin, site, "application/json", true, true);
        assertThat(refusal("127.0.0.1", asked)).isEqualTo(status);
        assertThat(refusal("127.0.0.1", new Asked("127.0.0.1:8997", origin, site, null, false, false)))
                .isZero();
    }

    @ParameterizedTest
    @CsvSource({
        "application/json, 0",
        "Application/JSON; charset=utf-8, 0",
        "text/plain, 415",
        "application/x-www-form-urlencoded, 415",
        "application/jsonx, 415",
        ", 415",
    })
    void a_document_is_json(@Nullable String type, int status) throws UnknownHostException {
        assertThat(refusal("127.0.0.1", new Asked("localhost", null, null, type, true, true)))
                .isEqualTo(status);
    }
}
