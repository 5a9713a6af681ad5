package org.klangk.health.journal;

class InMemoryJournalTest extends JournalConformance {
    @Override
    protected Journal create() {
        return Journal.inMemory();
    }
}
