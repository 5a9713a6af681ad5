package org.klangk.health.service;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.klangk.health.time.Durations;
import org.klangk.health.workspace.InvalidWorkspaceException;
import org.klangk.health.workspace.InvalidWorkspaceException.Violation;
import org.klangk.health.workspace.ProbeKind;
import org.klangk.health.workspace.Source;
import org.klangk.health.workspace.Workspace;
import org.klangk.health.workspace.WorkspaceDraft;

/** A workspace as a container's labels define it: its name, its check and its cadence, never whose it is or who runs it. Pure. */
final class Labels {
    /** What every label that is for this program begins with. */
    static final String PREFIX = "klangk.";
    /** The one that makes a container a workspace's. */
    static final String WORKSPACE = PREFIX + "workspace";

    private static final Map<String, BiConsumer<WorkspaceDraft, String>> FIELDS = fields();

    private Labels() {}

    private static Map<String, BiConsumer<WorkspaceDraft, String>> fields() {
        Map<String, BiConsumer<WorkspaceDraft, String>> fields = new LinkedHashMap<>();
        fields.put(WORKSPACE, WorkspaceDraft::name);
        fields.put(PREFIX + "health-check", WorkspaceDraft::healthCheck);
        fields.put(PREFIX + "health.interval", (draft, text) -> draft.interval(duration(text)));
        fields.put(PREFIX + "health.timeout", (draft, text) -> draft.timeout(duration(text)));
        fields.put(PREFIX + "health.grace", (draft, text) -> draft.startupGrace(duration(text)));
        fields.put(PREFIX + "health.start-interval", (draft, text) -> draft.startInterval(duration(text)));
        fields.put(PREFIX + "health.failures", (draft, text) -> draft.failuresBeforeUnhealthy(number(text)));
        fields.put(PREFIX + "health.successes", (draft, text) -> draft.successesBeforeHealthy(number(text)));
        fields.put(PREFIX + "health.probe", (draft, text) -> draft.probe(probe(text)));
        return fields;
    }

    /**
     * The definition in {@code labels}; empty where they define none.
     *
     * @param container the name of their container
     * @throws InvalidWorkspaceException naming every label that cannot be accepted
     */
    static Optional<WorkspaceDraft> draft(String container, Map<String, String> labels) {
        if (!labels.containsKey(WORKSPACE)) {
            return Optional.empty();
        }
        WorkspaceDraft draft = Workspace.named("").container(container).source(Source.LABEL);
        List<Violation> wrong = new ArrayList<>();
        new TreeMap<>(labels).forEach((label, text) -> {
            BiConsumer<WorkspaceDraft, String> field = FIELDS.get(label);
            if (field == null) {
                wrong.add(new Violation(label, "is not known; accepted are " + String.join(", ", FIELDS.keySet())));
                return;
            }
            try {
                field.accept(draft, text);
            } catch (IllegalArgumentException e) {
                wrong.add(new Violation(label, "is '" + text + "'; " + e.getMessage() + " is accepted"));
            }
        });
        if (!wrong.isEmpty()) {
            throw new InvalidWorkspaceException(wrong);
        }
        return Optional.of(draft);
    }

    private static Duration duration(String text) {
        return Durations.parse(text).orElseThrow(() -> new IllegalArgumentException("a duration (30, 30s, 500ms, 2m)"));
    }

    private static int number(String text) {
        try {
            return Integer.parseInt(text.strip());
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("a whole number", e);
        }
    }

    private static @Nullable ProbeKind probe(String text) {
        for (ProbeKind kind : ProbeKind.values()) {
            if (kind.name().toLowerCase(Locale.ROOT).equals(text.strip())) {
                return kind;
            }
        }
        throw new IllegalArgumentException("session or exec");
    }
}
