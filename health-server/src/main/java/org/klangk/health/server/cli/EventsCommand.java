package org.klangk.health.server.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** What happened to a workspace. */
@Command(
        name = "events",
        description = "Shows what happened to a workspace, the newest last; equal results are one line.",
        footer = {"", "Example: klangkc events gateway --kind transition,container --limit 20"})
final class EventsCommand extends Klangkc.Base {
    @Parameters(paramLabel = "NAME", description = "Its name or id.")
    private String name = "";

    @Option(
            names = "--kind",
            paramLabel = "KIND",
            split = ",",
            description = "result, transition, container, definition, setup, clock or monitor; may be repeated.")
    private List<String> kinds = new ArrayList<>();

    @Option(names = "--limit", paramLabel = "N", defaultValue = "100", description = "How many (${DEFAULT-VALUE}).")
    private String limit = "100";

    @Option(names = "--after", paramLabel = "ID", description = "Only those after this entry, the oldest of them.")
    private @Nullable String after;

    @Override
    public Integer call() {
        StringBuilder query = new StringBuilder("?limit=").append(Connection.encode(limit));
        kinds.forEach(kind -> query.append("&kind=").append(Connection.encode(kind)));
        if (after != null) {
            query.append("&after=").append(Connection.encode(after));
        }
        JsonNode page = server.get(server.workspace(name) + "/events" + query);
        page.path("items").forEach(item -> {
            if (output.form() == Output.Form.json) {
                output.json(item);
            } else {
                output.line(item.path("at").asText() + "  " + sentence(item));
            }
        });
        return ExitCode.OK;
    }

    /** An entry of the past, but for its time. */
    static String sentence(JsonNode item) {
        return switch (item.path("kind").asText()) {
            case "result" ->
                item.path("outcome").asText()
                        + (item.path("count").asInt() > 1
                                ? " " + item.path("count").asInt() + " times until "
                                        + item.path("last_at").asText()
                                : "")
                        + (item.path("counted").asBoolean() ? "" : " (not counted)")
                        + after(item, "message");
            case "transition" ->
                text(item, "from", "new") + " -> " + text(item, "to", "removed") + after(item, "reason")
                        + after(item, "message");
            case "container" -> "container " + item.path("event").asText().replace('_', ' ') + after(item, "message");
            case "definition" -> item.path("event").asText() + by(item);
            case "setup" -> "setup is " + item.path("setup_state").asText() + by(item);
            case "clock" -> "the clock jumped by " + item.path("jump_ms").asText() + " ms";
            case "monitor" ->
                item.path("component").asText()
                        + (item.path("healthy").asBoolean() ? " works" : " fails")
                        + after(item, "message");
            default -> item.toString();
        };
    }

    private static String by(JsonNode item) {
        return item.path("actor").isTextual() ? " by " + item.path("actor").asText() : "";
    }

    private static String text(JsonNode item, String field, String otherwise) {
        return item.path(field).isTextual() ? item.path(field).asText() : otherwise;
    }

    private static String after(JsonNode item, String field) {
        return item.path(field).isTextual()
                ? ": " + Output.oneLine(item.path(field).asText())
                : "";
    }
}
