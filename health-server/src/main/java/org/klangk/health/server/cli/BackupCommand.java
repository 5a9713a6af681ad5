package org.klangk.health.server.cli;

import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.klangk.health.server.config.ConfigReader;
import org.klangk.health.transport.journal.Backup;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Copies the journal. */
@Command(
        name = "backup",
        description = {
            "Copies the journal of KLANGK_DATA_DIR to a new file: workspaces, states, history.",
            "A server may be running on it."
        },
        footer = {"", "Example: klangkd backup /var/backups/klangk-$(date +%%F).db"})
final class BackupCommand implements Callable<Integer> {
    @Option(names = "--config", paramLabel = "FILE", description = "The YAML file of settings that the server uses.")
    private @Nullable Path config;

    @Parameters(paramLabel = "FILE", description = "Where to; it must not be there yet.")
    private Path copy = Path.of("");

    @CommandLine.Spec
    private CommandLine.Model.@Nullable CommandSpec spec;

    @Override
    public Integer call() {
        Path directory = ConfigReader.read(System.getenv(), config).dataDir();
        Backup.make(directory, copy);
        Launch.notice(spec, "the journal of " + directory + " was copied to " + copy);
        return ExitCode.OK;
    }
}
