package org.klangk.health.transport.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.klangk.health.event.HealthEvent;
import org.klangk.health.history.HistoryEntry;
import org.klangk.health.history.Recorder;
import org.klangk.health.pipeline.Commit;
import org.klangk.health.pipeline.Step;
import org.klangk.health.pipeline.Tracked;
import org.klangk.health.testing.Commits;
import org.klangk.health.testing.RandomHistory;

class StoredJsonTest {
    private static final int HISTORIES = 300;
    private static final int LENGTH = 60;

    @Test
    void what_is_read_is_equal_to_what_was_written() throws IOException {
        for (long seed = 0; seed < HISTORIES; seed++) {
            List<HealthEvent> events = RandomHistory.of(seed, LENGTH);
            Commits commits = new Commits("E");
            Recorder recorder = new Recorder();
            for (int i = 0; i < events.size(); i++) {
                HealthEvent event = events.get(i);
                assertThat(StoredJson.decode(StoredJson.encode(event), HealthEvent.class))
                        .isEqualTo(event);
                Commit commit = commits.of(event);
                for (Step step : commit.steps()) {
                    for (HistoryEntry entry : recorder.record(i, step)) {
                        assertThat(StoredJson.decode(StoredJson.encode(entry), HistoryEntry.class))
                                .isEqualTo(entry);
                    }
                }
                for (Tracked tracked : commit.changed()) {
                    assertThat(StoredJson.decode(StoredJson.encode(tracked), Tracked.class))
                            .isEqualTo(tracked);
                }
            }
        }
    }
}
