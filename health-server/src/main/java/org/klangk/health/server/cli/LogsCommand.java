package org.klangk.health.server.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** What a service printed. */
@Command(
        name = "logs",
        description = "Shows the end of what a workspace's service printed, where the server started it.",
        footer = {"", "Example: klangkc logs web --bytes 4096"})
final class LogsCommand extends Klangkc.Base {
    @Parameters(paramLabel = "NAME", description = "Its name or id.")
    private String name = "";

    @Option(
            names = "--bytes",
            paramLabel = "N",
            defaultValue = "65536",
            description = "How much at most; up to 2 MiB (default ${DEFAULT-VALUE}).")
    private String bytes = "65536";

    @Override
    public Integer call() {
        System.out.print(server.text(server.workspace(name) + "/logs?bytes=" + Connection.encode(bytes)));
        System.out.flush();
        return ExitCode.OK;
    }
}
