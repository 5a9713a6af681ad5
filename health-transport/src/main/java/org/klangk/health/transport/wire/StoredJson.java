package org.klangk.health.transport.wire;

import com.fasterxml.jackson.annotation.JsonAutoDetect;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonValue;
import com.fasterxml.jackson.annotation.PropertyAccessor;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import java.io.IOException;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.klangk.health.event.CheckCompleted;
import org.klangk.health.event.ClockJumped;
import org.klangk.health.event.ComponentDown;
import org.klangk.health.event.ComponentUp;
import org.klangk.health.event.ContainerPaused;
import org.klangk.health.event.ContainerResumed;
import org.klangk.health.event.ContainerStarted;
import org.klangk.health.event.ContainerStopped;
import org.klangk.health.event.DeadlinePassed;
import org.klangk.health.event.HealthEvent;
import org.klangk.health.event.ServiceStarted;
import org.klangk.health.event.SetupChanged;
import org.klangk.health.event.WorkspaceChanged;
import org.klangk.health.event.WorkspaceDefined;
import org.klangk.health.event.WorkspaceRemoved;
import org.klangk.health.history.Happened;
import org.klangk.health.history.HistoryEntry;
import org.klangk.health.history.ResultRun;
import org.klangk.health.history.Transition;
import org.klangk.health.pipeline.ComponentStatus;
import org.klangk.health.pipeline.Tracked;
import org.klangk.health.workspace.WorkspaceId;

/**
 * Events, states and history as JSON, as they are kept: what is read is equal to what was written, to the nanosecond. The names
 * are those of the records' components; fields that a later version wrote are passed over. Thread-safe; to be used where a
 * thread may wait.
 */
public final class StoredJson {
    @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "event")
    @JsonSubTypes({
        @JsonSubTypes.Type(value = WorkspaceDefined.class, name = "workspace_defined"),
        @JsonSubTypes.Type(value = WorkspaceChanged.class, name = "workspace_changed"),
        @JsonSubTypes.Type(value = WorkspaceRemoved.class, name = "workspace_removed"),
        @JsonSubTypes.Type(value = SetupChanged.class, name = "setup_changed"),
        @JsonSubTypes.Type(value = ServiceStarted.class, name = "service_started"),
        @JsonSubTypes.Type(value = ContainerStarted.class, name = "container_started"),
        @JsonSubTypes.Type(value = ContainerStopped.class, name = "container_stopped"),
        @JsonSubTypes.Type(value = ContainerPaused.class, name = "container_paused"),
        @JsonSubTypes.Type(value = ContainerResumed.class, name = "container_resumed"),
        @JsonSubTypes.Type(value = CheckCompleted.class, name = "check_completed"),
        @JsonSubTypes.Type(value = DeadlinePassed.class, name = "deadline_passed"),
        @JsonSubTypes.Type(value = ComponentDown.class, name = "component_down"),
        @JsonSubTypes.Type(value = ComponentUp.class, name = "component_up"),
        @JsonSubTypes.Type(value = ClockJumped.class, name = "clock_jumped"),
    })
    private interface Event {}

    @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "entry")
    @JsonSubTypes({
        @JsonSubTypes.Type(value = Happened.class, name = "happened"),
        @JsonSubTypes.Type(value = Transition.class, name = "transition"),
        @JsonSubTypes.Type(value = ResultRun.class, name = "results"),
    })
    private interface Entry {}

    /** An id is its text. */
    private interface Text {
        @JsonValue
        String value();
    }

    private static final ObjectMapper JSON = JsonMapper.builder()
            .addModule(new JavaTimeModule())
            .addMixIn(HealthEvent.class, Event.class)
            .addMixIn(HistoryEntry.class, Entry.class)
            .addMixIn(WorkspaceId.class, Text.class)
            .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
            .disable(SerializationFeature.WRITE_DATES_AS_TIMESTAMPS, SerializationFeature.WRITE_DURATIONS_AS_TIMESTAMPS)
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .defaultPropertyInclusion(
                    JsonInclude.Value.construct(JsonInclude.Include.NON_NULL, JsonInclude.Include.NON_NULL))
            .visibility(PropertyAccessor.FIELD, JsonAutoDetect.Visibility.ANY)
            .visibility(PropertyAccessor.GETTER, JsonAutoDetect.Visibility.NONE)
            .visibility(PropertyAccessor.IS_GETTER, JsonAutoDetect.Visibility.NONE)
            .build();

    private static final Map<Class<?>, ObjectReader> READERS = Stream.of(
                    HealthEvent.class, HistoryEntry.class, Tracked.class, ComponentStatus.class)
            .collect(Collectors.toUnmodifiableMap(type -> type, JSON::readerFor));

    private StoredJson() {}

    /** Makes ready what the first use would have to wait for; some hundred milliseconds in a process that has just begun. */
    public static void prepare() {
        Objects.requireNonNull(READERS);
    }

    /** The event in UTF-8. */
    public static byte[] encode(HealthEvent event) {
        return write(HealthEvent.class, event);
    }

    /** The entry in UTF-8. */
    public static byte[] encode(HistoryEntry entry) {
        return write(HistoryEntry.class, entry);
    }

    /** The workspace in UTF-8. */
    public static byte[] encode(Tracked tracked) {
        return write(Tracked.class, tracked);
    }

    /** The component's status in UTF-8. */
    public static byte[] encode(ComponentStatus status) {
        return write(ComponentStatus.class, status);
    }

    /**
     * Reads what {@code encode} wrote.
     *
     * @param type one of those that can be encoded
     * @throws IOException when it cannot be read as one
     */
    public static <T> T decode(byte[] json, Class<T> type) throws IOException {
        return Objects.requireNonNull(READERS.get(type), type::getName).readValue(json);
    }

    private static <T> byte[] write(Class<T> type, T value) {
        try {
            return JSON.writerFor(type).writeValueAsBytes(value);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(type.getSimpleName() + " cannot be written", e);
        }
    }
}
