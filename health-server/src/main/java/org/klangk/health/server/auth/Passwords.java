package org.klangk.health.server.auth;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import org.klangk.health.random.Unguessable;
import org.springframework.security.crypto.bcrypt.BCrypt;

/** Passwords and their hashes (bcrypt). Takes a quarter of a second of a core at the usual cost, on purpose. */
final class Passwords {
    /** Fewer characters are guessed. */
    static final int SHORTEST = 8;
    /** bcrypt looks at no more. */
    static final int LONGEST_BYTES = 72;

    /** The logarithm of the rounds. */
    static final int COST = 12;

    private final int cost;
    /** Something to compare with where there is no such user, so that the answer takes as long. */
    private final String nobody;

    Passwords(int cost) {
        this.cost = cost;
        nobody = hashed(Unguessable.hex(16));
    }

    /**
     * The hash to keep.
     *
     * @throws AccountException when the password is too short or too long
     */
    String hash(String password) {
        if (password.length() < SHORTEST) {
            throw new AccountException("a password of at least " + SHORTEST + " characters is accepted");
        }
        if (password.getBytes(StandardCharsets.UTF_8).length > LONGEST_BYTES) {
            throw new AccountException("a password of at most " + LONGEST_BYTES + " bytes is accepted");
        }
        return hashed(password);
    }

    private String hashed(String password) {
        return BCrypt.hashpw(password, BCrypt.gensalt(cost));
    }

    /** Whether the password is the one that was hashed; {@code hash} is null where there is no such user. */
    boolean matches(String password, @Nullable String hash) {
        boolean usable = password.getBytes(StandardCharsets.UTF_8).length <= LONGEST_BYTES;
        boolean same = BCrypt.checkpw(usable ? password : "", hash == null ? nobody : hash);
        return same && usable && hash != null;
    }
}
