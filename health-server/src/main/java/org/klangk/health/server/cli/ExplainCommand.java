package org.klangk.health.server.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** How a workspace came to be what it is, and what it would have been under another policy. */
@Command(
        name = "explain",
        description = {
            "Explains how a workspace came to be what it is: the fold of its stored results, step by step.",
            "With another policy it tells what the same results would have led to; nothing is changed."
        },
        footer = {
            "",
            "Examples: klangkc explain gateway",
            "          klangkc explain gateway --failures 3 --successes 2 --grace 60s --since 7d"
        })
final class ExplainCommand extends Klangkc.Base {
    @Parameters(paramLabel = "NAME", description = "Its name or id.")
    private String name = "";

    @Option(
            names = "--since",
            paramLabel = "TIME",
            defaultValue = "24h",
            description = "How far back, such as 2h or 7d; ${DEFAULT-VALUE} unless given.")
    private String since = "";

    @Option(names = "--failures", paramLabel = "N", description = "Try: so many failures make it unhealthy.")
    private @Nullable String failures;

    @Option(names = "--successes", paramLabel = "N", description = "Try: so many passes make it healthy.")
    private @Nullable String successes;

    @Option(names = "--grace", paramLabel = "TIME", description = "Try: this much startup grace.")
    private @Nullable String grace;

    @Override
    public Integer call() {
        StringJoiner query = new StringJoiner("&", "?", "");
        query.add("since=" + Connection.encode(since));
        add(query, "failures", failures);
        add(query, "successes", successes);
        add(query, "grace", grace);
        JsonNode explained = server.get(server.workspace(name) + "/explain" + query);
        if (output.form() == Output.Form.json) {
            output.json(explained);
            return ExitCode.OK;
        }
        if (explained.path("omitted").asInt() > 0) {
            output.line("(" + explained.path("omitted").asInt() + " earlier steps are not shown)");
        }
        explained.path("steps").forEach(this::step);
        output.line(summary(explained));
        return ExitCode.OK;
    }

    private static void add(StringJoiner query, String parameter, @Nullable String value) {
        if (value != null) {
            query.add(parameter + "=" + Connection.encode(value));
        }
    }

    private void step(JsonNode step) {
        String effect = step.path("effect").asText();
        output.line(step.path("at").asText() + "  "
                + Output.oneLine(step.path("what").asText()) + (effect.isEmpty() ? "" : "  -> " + effect));
    }

    private static String summary(JsonNode explained) {
        int turns = explained.path("turns").asInt();
        JsonNode would = explained.path("would_have_been");
        return would.isNull()
                ? transitions(turns)
                : transitions(turns) + " would have been " + would.asInt() + "; nothing was changed";
    }

    private static String transitions(int count) {
        return count + (count == 1 ? " transition" : " transitions");
    }
}
