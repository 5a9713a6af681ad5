package org.klangk.health.transport.podman;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.klangk.health.runtime.RuntimeEvent;
import org.klangk.health.runtime.RuntimeEvent.Death;
import org.klangk.health.runtime.RuntimeEvent.Touched;

/** Podman's events, read; each once, although some versions send old ones again. Not thread-safe. */
final class ContainerEvents {
    private static final int REMEMBERED = 4096;
    /** A death this long after somebody asked for a stop is not what was asked for. */
    private static final Duration STOPPING = Duration.ofMinutes(1);

    private final Map<String, Boolean> seen = bounded();
    private final Map<String, Instant> stops = bounded();

    private static <V> Map<String, V> bounded() {
        return new LinkedHashMap<>() {
            @Override
            protected boolean removeEldestEntry(Map.Entry<String, V> eldest) {
                return size() > REMEMBERED;
            }
        };
    }

    /** What the event says; empty when it was heard before or tells nothing yet. */
    Optional<RuntimeEvent> read(JsonNode json) {
        String id = json.path("Actor").path("ID").asText();
        String action = json.path("Action").asText();
        long nanos = json.path("timeNano").asLong();
        if (id.isEmpty() || seen.put(id + ' ' + action + ' ' + nanos, true) != null) {
            return Optional.empty();
        }
        Instant at = Instant.ofEpochSecond(0, nanos);
        JsonNode attributes = json.path("Actor").path("Attributes");
        if (action.equals("stop")) {
            // The death that follows tells the rest.
            stops.put(id, at);
            return Optional.empty();
        }
        return Optional.of(new Touched(id, attributes.path("name").asText(), death(id, action, attributes, at)));
    }

    private @Nullable Death death(String id, String action, JsonNode attributes, Instant at) {
        if (!action.equals("died")) {
            return null;
        }
        Instant stop = stops.remove(id);
        boolean requested = stop != null && !stop.plus(STOPPING).isBefore(at);
        return new Death(attributes.path("containerExitCode").asInt(), at, requested);
    }
}
