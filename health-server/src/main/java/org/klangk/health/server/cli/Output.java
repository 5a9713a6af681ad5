package org.klangk.health.server.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** How a command prints: tables on a terminal, one JSON document per line when piped. */
final class Output {
    /** The forms of output. */
    enum Form {
        json,
        wide,
        name
    }

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FORM",
            description = "json, wide or name; a table on a terminal and json when piped unless given.")
    private @Nullable Form form;

    private final PrintStream out = System.out;

    Form form() {
        if (form != null) {
            return form;
        }
        return terminal() ? Form.wide : Form.json;
    }

    /** Whether a person reads standard output; the launcher knows. */
    static boolean terminal() {
        return "1".equals(System.getProperty("klangk.tty"));
    }

    void json(JsonNode document) {
        out.println(document);
    }

    void line(String text) {
        out.println(text);
    }

    /** One workspace or the answer of a change to one. */
    void workspace(JsonNode workspace, String sentence) {
        switch (form()) {
            case json -> json(workspace);
            case name -> line(workspace.path("name").asText());
            case wide -> line(sentence);
        }
    }

    void workspaces(JsonNode all) {
        switch (form()) {
            case json -> all.forEach(this::json);
            case name -> all.forEach(one -> line(one.path("name").asText()));
            case wide -> table(all);
        }
    }

    private void table(JsonNode all) {
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("NAME", "STATE", "SINCE", "CONTAINER", "EVERY", "MESSAGE"));
        for (JsonNode one : all) {
            rows.add(List.of(
                    one.path("name").asText(),
                    state(one),
                    one.path("since").asText(),
                    text(one.path("container")),
                    one.path("interval").asText(),
                    oneLine(text(one.path("health_message")))));
        }
        int columns = rows.get(0).size();
        int[] widths = new int[columns];
        rows.forEach(row -> {
            for (int i = 0; i < columns; i++) {
                widths[i] = Math.max(widths[i], row.get(i).length());
            }
        });
        for (List<String> row : rows) {
            StringBuilder line = new StringBuilder();
            for (int i = 0; i < columns; i++) {
                line.append(row.get(i)).append(" ".repeat(widths[i] - row.get(i).length() + 2));
            }
            line(line.toString().stripTrailing());
        }
    }

    private static String state(JsonNode one) {
        String reason = text(one.path("reason"));
        return one.path("state").asText() + (reason.isEmpty() ? "" : " (" + reason + ")");
    }

    /** A text of several lines as one. */
    static String oneLine(String text) {
        return text.replaceAll("\\s+", " ");
    }

    /** One screen: the worst first, then what led to it. */
    void status(JsonNode status) {
        if (form() == Form.json) {
            json(status);
            return;
        }
        line(status.path("name").asText() + "  " + state(status));
        row("since", text(status.path("since")));
        row("message", text(status.path("health_message")));
        row("hint", Hint.of(status));
        row("last check", checked(status));
        row("next check", text(status.path("next_check_at")));
        JsonNode streak = status.path("streak");
        row(
                "streak",
                streak.isObject()
                        ? streak.path("count").asText() + " "
                                + streak.path("result").asText() + " of "
                                + streak.path("needed").asText()
                        : "");
        row("grace until", text(status.path("grace_until")));
        row("container", text(status.path("container_id")));
        row("incarnation", text(status.path("incarnation")));
        row("probe", text(status.path("probe")));
        row("id", text(status.path("id")));
    }

    private static String checked(JsonNode status) {
        String at = text(status.path("health_checked_at"));
        String outcome = text(status.path("outcome"));
        return at.isEmpty() ? "" : at + (outcome.isEmpty() ? "" : "  " + outcome) + "  " + age(status.path("age_ms"));
    }

    private static String age(JsonNode ms) {
        return ms.isNumber() ? "(" + ms.asLong() / 1000 + " s ago)" : "";
    }

    private void row(String label, String value) {
        if (!value.isEmpty()) {
            String indented = value.lines().collect(Collectors.joining("\n" + " ".repeat(16)));
            line("  " + label + " ".repeat(14 - label.length()) + indented);
        }
    }

    private static String text(JsonNode value) {
        return value.isNull() || value.isMissingNode() ? "" : value.asText();
    }

    /** The worst of several exit codes: unhealthy, then cannot tell, then nothing to judge. */
    static int worst(JsonNode all) {
        List<Integer> codes = StreamSupport.stream(all.spliterator(), false)
                .map(ExitCode::ofState)
                .toList();
        for (int code : new int[] {ExitCode.UNHEALTHY, ExitCode.CANNOT_TELL, ExitCode.OK}) {
            if (codes.contains(code)) {
                return code;
            }
        }
        return ExitCode.NOTHING_TO_JUDGE;
    }
}
