package org.klangk.health.server.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.klangk.health.server.agent.Agent;
import org.klangk.health.server.http.Problem.FieldError;
import org.klangk.health.time.Durations;
import org.klangk.health.transport.wire.WireText;
import org.klangk.health.workspace.ProbeKind;
import org.klangk.health.workspace.SetupState;
import org.klangk.health.workspace.Workspace;
import org.klangk.health.workspace.WorkspaceDraft;

/** A workspace's definition in JSON: what a client may write, and what it reads. Null or absent is the default. */
public final class WorkspaceJson {
    private static final Map<String, BiConsumer<WorkspaceDraft, JsonNode>> FIELDS = fields();

    private WorkspaceJson() {}

    private static Map<String, BiConsumer<WorkspaceDraft, JsonNode>> fields() {
        Map<String, BiConsumer<WorkspaceDraft, JsonNode>> fields = new LinkedHashMap<>();
        fields.put("name", (draft, json) -> draft.name(text(json)));
        fields.put("container", (draft, json) -> draft.container(text(json)));
        fields.put("image", (draft, json) -> draft.image(text(json)));
        fields.put("health_check", (draft, json) -> draft.healthCheck(text(json)));
        fields.put("enabled", (draft, json) -> draft.enabled(flag(json)));
        fields.put("user", (draft, json) -> draft.user(text(json)));
        fields.put("home", (draft, json) -> draft.home(text(json)));
        fields.put("workdir", (draft, json) -> draft.workdir(text(json)));
        fields.put("service_command", (draft, json) -> draft.serviceCommand(text(json)));
        fields.put("auto_start", (draft, json) -> draft.autoStart(flag(json)));
        fields.put("setup_state", (draft, json) -> draft.setup(word(json, SetupState.values())));
        fields.put("interval", (draft, json) -> draft.interval(duration(json)));
        fields.put("timeout", (draft, json) -> draft.timeout(duration(json)));
        fields.put("startup_grace", (draft, json) -> draft.startupGrace(duration(json)));
        fields.put("start_interval", (draft, json) -> draft.startInterval(duration(json)));
        fields.put("failures_before_unhealthy", (draft, json) -> draft.failuresBeforeUnhealthy(number(json)));
        fields.put("successes_before_healthy", (draft, json) -> draft.successesBeforeHealthy(number(json)));
        fields.put("probe", (draft, json) -> draft.probe(word(json, ProbeKind.values())));
        fields.put("agent", (draft, json) -> draft.agent(agent(json)));
        fields.put("owner", (draft, json) -> draft.owner(text(json)));
        fields.put("members", (draft, json) -> draft.members(texts(json)));
        return fields;
    }

    /**
     * Sets on {@code draft} what {@code document} says. A new workspace that names an agent and no check gets the agent's.
     *
     * @throws RuntimeException naming every field that is unknown or of the wrong type
     */
    public static WorkspaceDraft apply(WorkspaceDraft draft, ObjectNode document) {
        List<FieldError> errors = new ArrayList<>();
        for (Map.Entry<String, JsonNode> field : document.properties()) {
            BiConsumer<WorkspaceDraft, JsonNode> setter = FIELDS.get(field.getKey());
            if (setter == null) {
                errors.add(new FieldError(
                        pointer(field.getKey()),
                        field.getKey() + " is not a field; accepted are " + String.join(", ", FIELDS.keySet())));
                continue;
            }
            try {
                setter.accept(draft, field.getValue());
            } catch (IllegalArgumentException e) {
                errors.add(new FieldError(pointer(field.getKey()), field.getKey() + " " + e.getMessage()));
            }
        }
        if (!errors.isEmpty()) {
            throw Problem.invalid(errors);
        }
        if (draft.present() == null && !document.has("health_check")) {
            Agent.named(document.path("agent").asText()).map(Agent::healthCheck).ifPresent(draft::healthCheck);
        }
        return draft;
    }

    /** A field as a JSON pointer (RFC 6901). */
    private static String pointer(String field) {
        return "/" + field.replace("~", "~0").replace("/", "~1");
    }

    private static <T> @Nullable T read(
            JsonNode json, boolean fits, String accepted, Function<JsonNode, @Nullable T> read) {
        if (json.isNull()) {
            return null;
        }
        T value = fits ? read.apply(json) : null;
        if (value == null) {
            String shown = json.toString();
            throw new IllegalArgumentException("is " + (shown.length() > 80 ? shown.substring(0, 80) + "…" : shown)
                    + "; " + accepted + " is accepted");
        }
        return value;
    }

    private static @Nullable String text(JsonNode json) {
        return read(json, json.isTextual(), "a text", JsonNode::textValue);
    }

    private static @Nullable String agent(JsonNode json) {
        return read(
                json,
                json.isTextual(),
                "one of " + String.join(", ", Agent.names()),
                value -> Agent.named(value.asText()).map(Agent::agent).orElse(null));
    }

    private static @Nullable Boolean flag(JsonNode json) {
        return read(json, json.isBoolean(), "true or false", JsonNode::booleanValue);
    }

    private static @Nullable Integer number(JsonNode json) {
        return read(json, json.isInt(), "a whole number", JsonNode::intValue);
    }

    private static @Nullable Duration duration(JsonNode json) {
        return read(
                json,
                json.isTextual() || json.isNumber(),
                "a duration (30, \"30s\", \"500ms\", \"2m\")",
                value -> Durations.parse(value.asText()).orElse(null));
    }

    private static <E extends Enum<E>> @Nullable E word(JsonNode json, E[] words) {
        List<String> names = Arrays.stream(words).map(WireText::word).toList();
        return read(
                json,
                json.isTextual(),
                "one of " + String.join(", ", names),
                value -> Arrays.stream(words)
                        .filter(word -> value.asText().equals(WireText.word(word)))
                        .findFirst()
                        .orElse(null));
    }

    private static Set<String> texts(JsonNode json) {
        Set<String> texts = new LinkedHashSet<>();
        for (JsonNode one : json) {
            if (!one.isTextual()) {
                throw new IllegalArgumentException("is " + json + "; a list of texts is accepted");
            }
            texts.add(one.asText());
        }
        if (!json.isArray() && !json.isNull()) {
            throw new IllegalArgumentException("is " + json + "; a list of texts is accepted");
        }
        return texts;
    }

    /** Writes the definition's fields; what runs only for those who may change it. */
    static ObjectNode write(Workspace workspace, boolean commands) {
        ObjectNode json = write(workspace);
        if (!commands) {
            json.remove(List.of("health_check", "service_command"));
        }
        return json;
    }

    /** Writes the definition's fields, all of them. */
    static ObjectNode write(Workspace workspace) {
        ObjectNode json = Exchange.JSON.createObjectNode();
        json.put("id", workspace.id().value());
        json.put("name", workspace.name());
        json.put("container", workspace.container());
        json.put("image", workspace.image());
        json.put(
                "health_check",
                workspace.healthCheck() == null ? null : workspace.healthCheck().command());
        json.put("enabled", workspace.enabled());
        json.put("user", workspace.user());
        json.put("home", workspace.home());
        json.put("workdir", workspace.workdir());
        json.put("service_command", workspace.serviceCommand());
        json.put("auto_start", workspace.autoStart());
        json.put("setup_state", WireText.word(workspace.setup()));
        json.put("interval", Durations.text(workspace.policy().interval()));
        json.put("timeout", Durations.text(workspace.policy().timeout()));
        json.put("startup_grace", Durations.text(workspace.policy().startupGrace()));
        json.put("start_interval", Durations.text(workspace.policy().startInterval()));
        json.put("failures_before_unhealthy", workspace.policy().failuresBeforeUnhealthy());
        json.put("successes_before_healthy", workspace.policy().successesBeforeHealthy());
        json.put("probe", WireText.word(workspace.probe()));
        json.put("agent", workspace.agent());
        json.put("owner", workspace.owner());
        workspace.members().stream().sorted().forEach(json.putArray("members")::add);
        json.put("source", WireText.word(workspace.source()));
        return json;
    }
}
