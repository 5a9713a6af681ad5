package org.klangk.health.server.cli;

import java.nio.file.Path;
import java.time.Instant;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.klangk.health.server.config.ConfigReader;
import org.klangk.health.transport.journal.Backup;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Puts a copy of a journal in its place. */
@Command(
        name = "restore",
        description = {
            "Puts a copy that 'klangkd backup' made in the place of the journal of KLANGK_DATA_DIR; no server may be"
                    + " running on it. What was there before is kept beside it.",
            "Clients that go on from a position of before are told so (gone: epoch_changed) and get a snapshot."
        },
        footer = {"", "Example: klangkd restore /var/backups/klangk-2026-11-30.db"})
final class RestoreCommand implements Callable<Integer> {
    @Option(names = "--config", paramLabel = "FILE", description = "The YAML file of settings that the server uses.")
    private @Nullable Path config;

    @Parameters(paramLabel = "FILE", description = "The copy.")
    private Path copy = Path.of("");

    @CommandLine.Spec
    private CommandLine.Model.@Nullable CommandSpec spec;

    @Override
    public Integer call() {
        Path directory = ConfigReader.read(System.getenv(), config).dataDir();
        Path aside = Backup.restore(directory, copy, Instant.now());
        Launch.notice(
                spec,
                copy + " is the journal of " + directory + " now"
                        + (aside == null ? "" : "; what was there is in " + aside));
        return ExitCode.OK;
    }
}
