package org.klangk.health.transport.wire;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.HashSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.klangk.health.event.CheckOutcome;
import org.klangk.health.event.Component;
import org.klangk.health.frame.Bookmark;
import org.klangk.health.frame.ContainerStatus;
import org.klangk.health.frame.Frame;
import org.klangk.health.frame.FrameKind;
import org.klangk.health.frame.Gone;
import org.klangk.health.frame.Heartbeat;
import org.klangk.health.frame.MonitorHealth;
import org.klangk.health.frame.Position;
import org.klangk.health.frame.ServiceHealth;
import org.klangk.health.frame.SnapshotEnd;
import org.klangk.health.frame.WorkspaceRemovedFrame;
import org.klangk.health.frame.WorkspaceStateFrame;
import org.klangk.health.frame.WorkspacesChanged;
import org.klangk.health.state.HealthState;
import org.klangk.health.workspace.Audience;
import org.klangk.health.workspace.WorkspaceId;

/** Reads what {@link FrameJson} writes; fields that it does not know are passed over. Times are of milliseconds. Pure. */
public final class FrameReader {
    private final JsonNode json;

    private FrameReader(JsonNode json) {
        this.json = json;
    }

    /**
     * The frame; empty when it is of a type that this program does not know.
     *
     * @throws IllegalArgumentException when a field of a known type is missing or has no such value
     */
    public static Optional<Frame> read(JsonNode json) {
        return Optional.ofNullable(new FrameReader(json).frame());
    }

    private @Nullable Frame frame() {
        return switch (text("type")) {
            case "service_health" -> serviceHealth();
            case "container_status" ->
                new ContainerStatus(workspace(), flag("running"), text("container_id"), position());
            case "workspaces_changed" ->
                new WorkspacesChanged(workspace(), audience("was"), audience("is"), position());
            case "workspace_state" ->
                new WorkspaceStateFrame(
                        workspace(),
                        word(HealthState.class, "state"),
                        optional("reason"),
                        time("since"),
                        word(FrameKind.class, "kind"),
                        position());
            case "workspace_removed" ->
                new WorkspaceRemovedFrame(workspace(), text("reason"), audience("was"), position());
            case "monitor_health" ->
                new MonitorHealth(
                        word(Component.class, "component"),
                        flag("healthy"),
                        optional("message"),
                        word(FrameKind.class, "kind"),
                        position());
            case "service_health_heartbeat" ->
                new Heartbeat(
                        time("timestamp"),
                        position(),
                        Duration.ofMillis(number("period_ms")),
                        (int) number("watched"),
                        (int) number("in_flight"),
                        Duration.ofMillis(number("worst_lateness_ms")));
            case "snapshot_end" -> new SnapshotEnd(position(), (int) number("count"));
            case "bookmark" -> new Bookmark(position());
            case "gone" -> new Gone(word(Gone.Reason.class, "reason"), position());
            default -> null;
        };
    }

    private ServiceHealth serviceHealth() {
        return new ServiceHealth(
                workspace(),
                flag("healthy"),
                optional("health_message"),
                flag("running"),
                json.hasNonNull("health_checked_at") ? time("health_checked_at") : null,
                number("seq"),
                word(FrameKind.class, "kind"),
                text("name"),
                word(HealthState.class, "state"),
                time("since"),
                json.hasNonNull("outcome") ? word(CheckOutcome.class, "outcome") : null,
                json.hasNonNull("exit_code") ? (Integer) (int) number("exit_code") : null,
                number("incarnation"),
                position());
    }

    /** Only a kept frame has one. */
    private @Nullable Audience audience(String field) {
        JsonNode audience = json.path(field);
        if (!audience.isObject()) {
            return null;
        }
        Set<String> members = new HashSet<>();
        audience.path("members").forEach(member -> members.add(member.asText()));
        return new Audience(
                audience.path("name").asText(), audience.path("owner").asText(), members);
    }

    private WorkspaceId workspace() {
        return new WorkspaceId(text("workspace_id"));
    }

    private Position position() {
        return new Position(text("epoch"), number("rev"));
    }

    private String text(String field) {
        return require(field, json.path(field).isTextual()).asText();
    }

    private @Nullable String optional(String field) {
        return json.hasNonNull(field) ? text(field) : null;
    }

    private boolean flag(String field) {
        return require(field, json.path(field).isBoolean()).asBoolean();
    }

    private long number(String field) {
        return require(field, json.path(field).canConvertToLong()).asLong();
    }

    private Instant time(String field) {
        try {
            return Instant.parse(text(field));
        } catch (DateTimeParseException e) {
            throw unreadable(field);
        }
    }

    private <E extends Enum<E>> E word(Class<E> of, String field) {
        try {
            return Enum.valueOf(of, text(field).toUpperCase(Locale.ROOT));
        } catch (IllegalArgumentException e) {
            throw unreadable(field);
        }
    }

    private JsonNode require(String field, boolean present) {
        if (!present) {
            throw unreadable(field);
        }
        return json.path(field);
    }

    private IllegalArgumentException unreadable(String field) {
        return new IllegalArgumentException(field + " is " + json.path(field));
    }
}
