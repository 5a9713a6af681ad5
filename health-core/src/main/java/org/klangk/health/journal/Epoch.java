package org.klangk.health.journal;

import java.time.Instant;
import org.klangk.health.random.Unguessable;

/** Identities of logs: a ULID, so that a later log's sorts after an earlier one's. */
public final class Epoch {
    private static final String DIGITS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

    private Epoch() {}

    /** A new one; 48 bits of time and 80 random bits. */
    public static String create(Instant now) {
        StringBuilder text = new StringBuilder(26);
        long time = now.toEpochMilli();
        for (int shift = 45; shift >= 0; shift -= 5) {
            text.append(DIGITS.charAt((int) (time >>> shift) & 31));
        }
        for (int i = 0; i < 16; i++) {
            text.append(DIGITS.charAt(Unguessable.below(32)));
        }
        return text.toString();
    }
}
