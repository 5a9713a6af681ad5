package org.klangk.health.server.monitor;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

/**
 * A frame as it came.
 *
 * @param text its JSON, one line
 * @param frame the same, read
 */
public record Event(String text, JsonNode frame) {
    private static final ObjectMapper JSON = new ObjectMapper();

    /**
     * The frame of this JSON.
     *
     * @throws IllegalArgumentException when it is not JSON
     */
    public static Event of(String text) {
        try {
            return new Event(text, JSON.readTree(text));
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("a frame was not JSON", e);
        }
    }

    /** The frame's type; empty where it has none. */
    public String type() {
        return frame.path("type").asText();
    }

    boolean is(String type) {
        return type().equals(type);
    }

    /** Whether it tells a change, rather than how things are. */
    public boolean isChange() {
        return frame.path("kind").asText().equals("change");
    }

    boolean isSnapshot() {
        return frame.path("kind").asText().equals("snapshot");
    }

    /** The workspace it is about; empty when it is about none. */
    public String workspace() {
        return frame.path("workspace_id").asText();
    }

    String epoch() {
        return frame.path("epoch").asText();
    }

    long rev() {
        return frame.path("rev").asLong();
    }

    /** Its place in the log, {@code epoch.rev}: the same for the same event whenever it comes. */
    public String id() {
        return epoch() + "." + rev();
    }
}
