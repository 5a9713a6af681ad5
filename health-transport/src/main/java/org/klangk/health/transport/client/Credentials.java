package org.klangk.health.transport.client;

import reactor.core.publisher.Mono;

/** How a client proves who it is. Asked again for each connection, so that a token may be renewed meanwhile. */
@FunctionalInterface
public interface Credentials {
    /** The token of now; empty for none. May fail, which counts as a broken link. */
    Mono<String> token();

    /** Always this token. */
    static Credentials token(String token) {
        return () -> Mono.just(token);
    }

    /** None, for a server that asks for none. */
    static Credentials none() {
        return Mono::empty;
    }
}
