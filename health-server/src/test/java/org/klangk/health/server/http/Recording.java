package org.klangk.health.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.klangk.health.frame.Position;

/**
 * What one client of the full view was told, over however many connections, and a validator for each guarantee of the stream
 * within an epoch. A client that sees everything is told every rev, so that a missing one shows.
 */
final class Recording {
    private final List<JsonNode> frames = new ArrayList<>();
    private final String begin;
    private String position;

    /** Of a client that begins with a snapshot. */
    Recording() {
        this("");
    }

    /** Of a client that goes on after a place; empty for a snapshot. */
    Recording(String after) {
        begin = after;
        position = after;
    }

    synchronized void add(JsonNode frame) {
        frames.add(frame);
        String type = frame.path("type").asText();
        boolean change = frame.path("kind").asText().equals("change");
        if (change || type.equals("snapshot_end") || type.equals("bookmark")) {
            position = position(frame);
        }
    }

    static String position(JsonNode frame) {
        return frame.path("epoch").asText() + "." + rev(frame);
    }

    private static long rev(JsonNode frame) {
        return frame.path("rev").asLong();
    }

    /** Where to go on; empty before the first place. */
    String position() {
        return position;
    }

    List<JsonNode> changes() {
        return frames.stream()
                .filter(frame -> frame.path("kind").asText().equals("change"))
                .toList();
    }

    synchronized void validate() {
        ordered();
        unique();
        complete();
        atomic();
        sequences();
    }

    /** Each change is after the one before it. */
    private void ordered() {
        long last = 0;
        String epoch = "";
        for (JsonNode frame : changes()) {
            if (frame.path("epoch").asText().equals(epoch)) {
                assertThat(rev(frame)).as("ordered: %s", frame).isGreaterThan(last);
            }
            last = rev(frame);
            epoch = frame.path("epoch").asText();
        }
    }

    /** No change is told twice. */
    private void unique() {
        assertThat(changes()).as("unique").extracting(Recording::position).doesNotHaveDuplicates();
    }

    /** Between a snapshot, or a gone, and the next one nothing is left out, however often the connection was cut. */
    private void complete() {
        long expected = begin.isEmpty() ? -1 : Position.parse(begin).rev() + 1;
        for (JsonNode frame : frames) {
            String type = frame.path("type").asText();
            if (type.equals("gone")) {
                expected = -1;
            } else if (frame.path("kind").asText().equals("change")) {
                assertThat(expected)
                        .as("complete: a change before any place: %s", frame)
                        .isPositive();
                assertThat(rev(frame)).as("complete: %s", frame).isEqualTo(expected);
                expected++;
            } else if (type.equals("snapshot_end")) {
                expected = rev(frame) + 1;
            }
        }
    }

    /** A snapshot is whole: as many frames as its end says, and no change among them. */
    private void atomic() {
        int count = 0;
        for (JsonNode frame : frames) {
            String type = frame.path("type").asText();
            if (frame.path("kind").asText().equals("snapshot")) {
                count++;
            } else if (type.equals("snapshot_end")) {
                assertThat(count)
                        .as("atomic: %s", frame)
                        .isEqualTo(frame.path("count").asInt());
                count = 0;
            } else {
                assertThat(count).as("atomic: within a snapshot: %s", frame).isZero();
            }
        }
    }

    /** Each workspace's verdicts are numbered without a gap. */
    private void sequences() {
        Map<String, Long> last = new HashMap<>();
        for (JsonNode frame : frames) {
            String type = frame.path("type").asText();
            if (type.equals("gone")) {
                last.clear();
            } else if (type.equals("service_health")) {
                String id = frame.path("workspace_id").asText();
                long seq = frame.path("seq").asLong();
                Long before = last.put(id, seq);
                if (before != null && frame.path("kind").asText().equals("change")) {
                    assertThat(seq).as("seq: %s", frame).isEqualTo(before + 1);
                }
            }
        }
    }

    /** What a client that folds the frames knows at the end: the state of each workspace. */
    Map<String, String> states() {
        Map<String, String> states = new TreeMap<>();
        boolean begins = true;
        for (JsonNode frame : frames) {
            String id = frame.path("workspace_id").asText();
            boolean snapshot = frame.path("kind").asText().equals("snapshot");
            if (snapshot && begins) {
                states.clear();
            }
            begins = !snapshot;
            switch (frame.path("type").asText()) {
                case "service_health", "workspace_state" ->
                    states.put(id, frame.path("state").asText());
                case "workspace_removed" -> states.remove(id);
                default -> {
                    // Says nothing of a state.
                }
            }
        }
        return states;
    }
}
