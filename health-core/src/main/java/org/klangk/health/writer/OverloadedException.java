package org.klangk.health.writer;

/** As many are waiting as can be taken; nothing was done, and the same may be tried later. */
public final class OverloadedException extends RuntimeException {
    /** @param waiting what is waiting, and how much of it */
    public OverloadedException(String waiting) {
        super("overloaded: " + waiting + " are waiting");
    }
}
