package org.klangk.health.server.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.Locale;

/** Frames for a person. */
final class FrameText {
    private FrameText() {}

    /** One line: a verdict as a sentence, frames of other types as they are. */
    static String of(String json) {
        try {
            return of(Connection.JSON.readTree(json), json);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("not a frame", e);
        }
    }

    /** The same of a frame that was read already. */
    static String of(JsonNode frame, String json) {
        if (!frame.path("type").asText().equals("service_health")) {
            return json;
        }
        String message = frame.path("health_message").asText("");
        return String.format(
                Locale.ROOT,
                "%s  %-9s %s%s",
                frame.path("since").asText(),
                frame.path("state").asText(),
                frame.path("name").asText(),
                frame.path("health_message").isNull() ? "" : ": " + message.replaceAll("\\s+", " "));
    }
}
