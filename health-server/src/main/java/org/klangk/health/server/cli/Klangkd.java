package org.klangk.health.server.cli;

import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The server's command line. */
@Command(
        name = "klangkd",
        description = "Serves the health of services in containers.",
        mixinStandardHelpOptions = true,
        scope = CommandLine.ScopeType.INHERIT,
        versionProvider = Version.class,
        subcommands = {
            ServeCommand.class,
            UserCommand.class,
            TokenCommand.class,
            BackupCommand.class,
            RestoreCommand.class
        })
public final class Klangkd implements Callable<Integer> {
    @CommandLine.Spec
    private CommandLine.Model.@Nullable CommandSpec spec;

    /** Runs the command line and exits with its code. */
    public static void main(String[] arguments) {
        System.exit(Launch.run(new Klangkd(), arguments));
    }

    @Override
    public Integer call() {
        return Launch.usage(spec);
    }
}
