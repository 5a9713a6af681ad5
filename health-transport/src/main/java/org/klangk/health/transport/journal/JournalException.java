package org.klangk.health.transport.journal;

/** The journal cannot be opened, read or written; the message says which file, what is wrong and what can be done. */
public final class JournalException extends RuntimeException {
    JournalException(String message) {
        super(message);
    }

    JournalException(String message, Throwable cause) {
        super(message, cause);
    }
}
