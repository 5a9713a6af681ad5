package org.klangk.health.server.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Runs a check now. */
@Command(
        name = "check",
        description = "Runs a workspace's check now and shows what it says.",
        footer = {
            "",
            "Examples: klangkc check gateway",
            "          klangkc check gateway --dry-run --command 'curl -sf localhost:8080/health'"
        })
final class CheckCommand extends Klangkc.Base {
    @Parameters(paramLabel = "NAME", description = "Its name or id.")
    private String name = "";

    @Option(names = "--dry-run", description = "Nothing comes of it: shows what would have been kept.")
    private boolean dryRun;

    @Option(names = "--command", paramLabel = "COMMAND", description = "With --dry-run: this instead of its check.")
    private @Nullable String command;

    @Override
    public Integer call() {
        if (command != null && !dryRun) {
            throw new CliException(ExitCode.USAGE, "--command: accepted with --dry-run only");
        }
        ObjectNode asked = Connection.JSON.createObjectNode();
        if (dryRun) {
            asked.put("dry_run", true);
        }
        if (command != null) {
            asked.put("command", command);
        }
        JsonNode answer = server.post(server.workspace(name) + "/check", asked);
        if (output.form() == Output.Form.json) {
            output.json(answer);
        } else {
            String message = answer.path("message").asText("");
            output.line(name + "  " + answer.path("outcome").asText() + " in "
                    + answer.path("duration_ms").asText() + " ms"
                    + (answer.path("message").isNull() ? "" : ": " + message)
                    + (dryRun ? "  (nothing was kept)" : ""));
        }
        return ExitCode.ofOutcome(answer);
    }
}
