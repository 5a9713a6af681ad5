package org.klangk.health.writer;

/** The writer has as many commands waiting as it takes; nothing was done, and the same command may be tried later. */
public final class OverloadedException extends RuntimeException {
    OverloadedException(int waiting) {
        super("overloaded: " + waiting + " commands are waiting");
    }
}
