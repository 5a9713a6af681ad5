package org.klangk.health.random;

import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.UUID;

/**
 * Random identities. The JDK's default generator reads a device file at every use, which must not happen on an event loop, so
 * this one is seeded once, when the class is loaded. May be used on any thread.
 */
public final class Unguessable {
    private static final SecureRandom RANDOM = seeded();

    private Unguessable() {}

    private static SecureRandom seeded() {
        try {
            SecureRandom random = SecureRandom.getInstance("DRBG");
            random.nextInt();
            return random;
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has DRBG", e);
        }
    }

    /** {@code count} random bytes in hexadecimal. */
    public static String hex(int count) {
        byte[] bytes = new byte[count];
        RANDOM.nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }

    /** A random UUID (version 4). */
    public static UUID uuid() {
        long high = (RANDOM.nextLong() & 0xFFFFFFFFFFFF0FFFL) | 0x4000L;
        long low = (RANDOM.nextLong() & 0x3FFFFFFFFFFFFFFFL) | 0x8000000000000000L;
        return new UUID(high, low);
    }

    /** A number from 0 to {@code bound} - 1. */
    public static int below(int bound) {
        return RANDOM.nextInt(bound);
    }
}
