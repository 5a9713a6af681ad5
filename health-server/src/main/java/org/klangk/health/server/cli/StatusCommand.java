package org.klangk.health.server.cli;

import com.fasterxml.jackson.databind.JsonNode;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** How a workspace is, on one screen. */
@Command(
        name = "status",
        description = "Shows how a workspace is, or all; the exit code says it too.",
        footer = {"", "Example: klangkc status gateway || echo 'gateway needs somebody'"})
final class StatusCommand extends Klangkc.Base {
    @Parameters(paramLabel = "NAME", arity = "0..1", description = "Its name or id; all when it is missing.")
    private @Nullable String name;

    @Option(
            names = {"-w", "--watch"},
            description = "Keeps it true until it is interrupted.")
    private boolean watch;

    @Override
    public Integer call() {
        if (name == null) {
            return watch ? new LiveList(server, this::all, output::workspaces, output).run() : showAll();
        }
        String path = server.workspace(name);
        if (watch) {
            return new LiveList(
                            server,
                            () -> Connection.JSON.createArrayNode().add(server.get(path + "/status")),
                            one -> show(path, one.path(0)),
                            output)
                    .run();
        }
        JsonNode status = server.get(path + "/status");
        show(path, status);
        return ExitCode.ofState(status);
    }

    private void show(String path, JsonNode status) {
        output.status(status);
        if (output.form() != Output.Form.json) {
            output.line("");
            LastLines.of(server, path).forEach(output::line);
        }
    }

    private JsonNode all() {
        return server.get("/workspaces");
    }

    private int showAll() {
        JsonNode all = all();
        output.workspaces(all);
        return Output.worst(all);
    }
}
