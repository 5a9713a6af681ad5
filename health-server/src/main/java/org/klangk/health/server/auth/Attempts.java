package org.klangk.health.server.auth;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Ticker;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Counts failed logins, so that guessing takes too long: per name and address, per address, and per name. What does not fit any
 * more is forgotten; there are fewer addresses than that. May be used on any thread.
 */
final class Attempts {
    /** What is counted begins anew so long after the first failure. */
    static final Duration WINDOW = Duration.ofMinutes(1);

    static final int PER_NAME_AND_ADDRESS = 10;
    static final int PER_ADDRESS = 30;
    static final int PER_NAME = 100;
    private static final int REMEMBERED = 100_000;

    private final Cache<String, AtomicInteger> failures;

    Attempts(Ticker ticker) {
        failures = Caffeine.newBuilder()
                .ticker(ticker)
                .expireAfterWrite(WINDOW)
                .maximumSize(REMEMBERED)
                .build();
    }

    /** Counts an attempt as failed until {@link #succeeded}; false when there were too many, and then it is not counted. */
    synchronized boolean begin(String name, String address) {
        AtomicInteger both = count("both " + address + ' ' + name);
        AtomicInteger here = count("address " + address);
        AtomicInteger anywhere = count("name " + name);
        if (both.get() >= PER_NAME_AND_ADDRESS || here.get() >= PER_ADDRESS || anywhere.get() >= PER_NAME) {
            return false;
        }
        both.incrementAndGet();
        here.incrementAndGet();
        anywhere.incrementAndGet();
        return true;
    }

    private AtomicInteger count(String key) {
        return failures.get(key, unknown -> new AtomicInteger());
    }

    /** It did not fail. */
    synchronized void succeeded(String name, String address) {
        failures.invalidate("both " + address + ' ' + name);
        count("address " + address).decrementAndGet();
        count("name " + name).decrementAndGet();
    }
}
