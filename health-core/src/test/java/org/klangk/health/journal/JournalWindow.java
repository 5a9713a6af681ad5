package org.klangk.health.journal;

/** Journals in memory with a window of a test's choice. */
public final class JournalWindow {
    private JournalWindow() {}

    public static Journal of(int events, int frames) {
        return new InMemoryJournal(events, frames);
    }
}
