package org.klangk.health.server.cli;

import java.nio.file.Path;
import java.time.Instant;
import org.klangk.health.transport.journal.Backup;
import picocli.CommandLine.Command;
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
final class RestoreCommand extends DataDirectoryCommand {
    @Parameters(paramLabel = "FILE", description = "The copy.")
    private Path copy = Path.of("");

    @Override
    String act(Path directory) {
        Path aside = Backup.restore(directory, copy, Instant.now());
        return copy + " is the journal of " + directory + " now"
                + (aside == null ? "" : "; what was there is in " + aside);
    }
}
