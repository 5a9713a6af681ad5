package org.klangk.health.transport.podman;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.klangk.health.event.StopCause;
import org.klangk.health.runtime.ContainerInfo;
import org.klangk.health.runtime.ContainerInfo.Status;

/** Podman's descriptions of containers, read. Pure. */
final class Containers {
    private static final String LABELS = "klangk.";

    private Containers() {}

    /** The answer of an inspect. */
    static ContainerInfo inspected(JsonNode json) {
        JsonNode state = json.path("State");
        Status status =
                status(state.path("Status").asText(), state.path("Paused").asBoolean());
        return new ContainerInfo(
                json.path("Id").asText(),
                json.path("Name").asText(),
                status,
                time(state.path("StartedAt").asText()),
                status == Status.STOPPED ? cause(json, state) : null,
                status == Status.STOPPED ? time(state.path("FinishedAt").asText()) : null,
                labels(json.path("Config").path("Labels")));
    }

    /** Those that are for this program. */
    static Map<String, String> labels(JsonNode json) {
        Map<String, String> labels = new HashMap<>();
        json.properties().forEach(label -> {
            if (label.getKey().startsWith(LABELS)) {
                labels.put(label.getKey(), label.getValue().asText());
            }
        });
        return labels;
    }

    private static @Nullable StopCause cause(JsonNode json, JsonNode state) {
        if (time(state.path("StartedAt").asText()) == null) {
            return null;
        }
        int exitCode = state.path("ExitCode").asInt();
        if (state.path("OOMKilled").asBoolean()) {
            long limit = json.path("HostConfig").path("Memory").asLong();
            return StopCause.oom(exitCode, limit > 0 ? limit : null);
        }
        return state.path("StoppedByUser").asBoolean() ? StopCause.requested(exitCode) : StopCause.exited(exitCode);
    }

    /** The answer of a list; its times are whole seconds. */
    static List<ContainerInfo> listed(JsonNode json) {
        List<ContainerInfo> containers = new ArrayList<>(json.size());
        for (JsonNode one : json) {
            String state = one.path("State").asText();
            long started = one.path("StartedAt").asLong();
            containers.add(new ContainerInfo(
                    one.path("Id").asText(),
                    one.path("Names").path(0).asText(),
                    status(state, state.equals("paused")),
                    started > 0 ? Instant.ofEpochSecond(started) : null,
                    null,
                    null,
                    labels(one.path("Labels"))));
        }
        return containers;
    }

    /** A container that is stopping still has its processes. */
    private static Status status(String state, boolean paused) {
        if (paused) {
            return Status.PAUSED;
        }
        return state.equals("running") || state.equals("stopping") ? Status.RUNNING : Status.STOPPED;
    }

    /** Podman writes the year 1 for never. */
    private static @Nullable Instant time(String text) {
        try {
            Instant time = OffsetDateTime.parse(text).toInstant();
            return time.getEpochSecond() > 0 ? time : null;
        } catch (DateTimeParseException e) {
            return null;
        }
    }
}
