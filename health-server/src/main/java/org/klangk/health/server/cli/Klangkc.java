package org.klangk.health.server.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The client's command line. */
@Command(
        name = "klangkc",
        description = "Watches the health of services in containers.",
        mixinStandardHelpOptions = true,
        scope = CommandLine.ScopeType.INHERIT,
        versionProvider = Version.class,
        subcommands = {
            Klangkc.Create.class,
            Klangkc.Edit.class,
            Klangkc.Start.class,
            Klangkc.Remove.class,
            Klangkc.ListAll.class,
            StatusCommand.class,
            CheckCommand.class,
            WaitCommand.class,
            EventsCommand.class,
            LogsCommand.class,
            ExplainCommand.class,
            MonitorCommand.class,
            LoginCommand.class,
            LogoutCommand.class,
            AutoComplete.GenerateCompletion.class
        },
        footer = {
            "",
            "Exit codes:",
            "  0 healthy, passed or done; 1 unhealthy or failed; 2 cannot tell;",
            "  3 nothing to judge; 64 usage; 69 server unreachable; 77 not allowed"
        })
public final class Klangkc implements Callable<Integer> {
    @CommandLine.Spec
    private CommandLine.Model.@Nullable CommandSpec spec;

    /** Runs the command line and exits with its code. */
    public static void main(String[] arguments) {
        int code = Launch.run(new Klangkc(), arguments);
        // An exit waits a third of a second for the client's threads, and returning does not: they are daemons.
        if (code != ExitCode.OK) {
            System.exit(code);
        }
    }

    @Override
    public Integer call() {
        return Launch.usage(spec);
    }

    /** What all commands share. */
    abstract static class Base implements Callable<Integer> {
        @Mixin
        final Connection server = new Connection();

        @Mixin
        final Output output = new Output();
    }

    @Command(
            name = "create",
            description = "Watches a workspace from now on.",
            footer = {
                "",
                "Examples:",
                "  klangkc create gateway --container gw --health-check 'curl -sf localhost:8080/health'",
                "  klangkc create bot --image docker.io/library/debian:12 --command 'exec ~/bot' --agent openclaw",
                "  klangkc create web --sandbox .klangk-sandbox.yaml --interval 10s"
            })
    static final class Create extends Base {
        @Parameters(paramLabel = "NAME", description = "Its name, unique among your own.")
        private String name = "";

        @Mixin
        private final DefinitionOptions definition = new DefinitionOptions();

        @Option(
                names = "--sandbox",
                paramLabel = "FILE",
                description = "A .klangk-sandbox.yaml: its workspace.image, service-command, auto-start and"
                        + " health-check count where no option says otherwise.")
        private @Nullable Path sandbox;

        @Override
        public Integer call() {
            ObjectNode given = definition.document().put("name", name);
            ObjectNode document =
                    sandbox == null ? given : SandboxFile.read(sandbox).setAll(given);
            JsonNode made = server.post("/workspaces", document);
            output.workspace(
                    made, name + " is watched, now " + made.path("state").asText());
            return ExitCode.OK;
        }
    }

    @Command(
            name = "edit",
            description = "Changes a workspace; what is not given stays.",
            footer = {"", "Example: klangkc edit gateway --interval 10s --failures 3"})
    static final class Edit extends Base {
        @Parameters(paramLabel = "NAME", description = "Its name or id.")
        private String name = "";

        @Option(names = "--name", paramLabel = "NEW", description = "A new name.")
        private @Nullable String newName;

        @Mixin
        private final DefinitionOptions definition = new DefinitionOptions();

        @Override
        public Integer call() {
            ObjectNode document = definition.document();
            if (newName != null) {
                document.put("name", newName);
            }
            if (document.isEmpty()) {
                throw new CliException(ExitCode.USAGE, "nothing to change: give at least one option");
            }
            JsonNode changed = server.patch(server.workspace(name), document);
            output.workspace(changed, changed.path("name").asText() + " is changed");
            return ExitCode.OK;
        }
    }

    @Command(
            name = "start",
            description = "Starts what the server started for a workspace once: its container, where it was made of an"
                    + " image, and its service.",
            footer = {"", "Example: klangkc start web && klangkc wait web"})
    static final class Start extends Base {
        @Parameters(paramLabel = "NAME", description = "Its name or id.")
        private String name = "";

        @Override
        public Integer call() {
            JsonNode status = server.post(server.workspace(name) + "/start", Connection.JSON.createObjectNode());
            System.err.println(name + " is " + status.path("state").asText());
            return ExitCode.OK;
        }
    }

    @Command(
            name = "rm",
            description = "Ends the watch of workspaces. Containers that were made for them go, their homes and all"
                    + " other containers stay.")
    static final class Remove extends Base {
        @Parameters(paramLabel = "NAME", arity = "1..*", description = "Their names or ids.")
        private List<String> names = List.of();

        @Override
        public Integer call() {
            for (String name : names) {
                server.delete(server.workspace(name));
                System.err.println(name + " is no longer watched");
            }
            return ExitCode.OK;
        }
    }

    @Command(name = "ls", description = "Lists workspaces.")
    static final class ListAll extends Base {
        @Option(names = "--state", paramLabel = "STATE", description = "Only those in this state.")
        private @Nullable String state;

        @Option(
                names = {"-w", "--watch"},
                description = "Keeps the list true until it is interrupted.")
        private boolean watch;

        @Override
        public Integer call() {
            if (watch) {
                return new LiveList(server, this::all, output::workspaces, output).run();
            }
            output.workspaces(all());
            return ExitCode.OK;
        }

        private JsonNode all() {
            return server.get("/workspaces" + (state == null ? "" : "?state=" + Connection.encode(state)));
        }
    }
}
