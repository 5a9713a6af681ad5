package org.klangk.health.server.cli;

import java.nio.file.Path;
import org.klangk.health.transport.journal.Backup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Copies the journal. */
@Command(
        name = "backup",
        description = {
            "Copies the journal of KLANGK_DATA_DIR to a new file: workspaces, states, history.",
            "A server may be running on it."
        },
        footer = {"", "Example: klangkd backup /var/backups/klangk-$(date +%%F).db"})
final class BackupCommand extends DataDirectoryCommand {
    @Parameters(paramLabel = "FILE", description = "Where to; it must not be there yet.")
    private Path copy = Path.of("");

    @Override
    String act(Path directory) {
        Backup.make(directory, copy);
        return "the journal of " + directory + " was copied to " + copy;
    }
}
