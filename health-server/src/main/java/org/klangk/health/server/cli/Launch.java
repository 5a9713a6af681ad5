package org.klangk.health.server.cli;

import java.io.PrintWriter;
import org.jspecify.annotations.Nullable;
import org.klangk.health.server.auth.AccountException;
import org.klangk.health.server.config.ConfigException;
import org.klangk.health.transport.journal.JournalException;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/** Runs a command line: errors in one sentence on standard error, the exit code says what kind they were. */
final class Launch {
    private Launch() {}

    static int run(Object command, String[] arguments) {
        CommandLine line = new CommandLine(command)
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setParameterExceptionHandler(Launch::misused)
                .setExecutionExceptionHandler(Launch::failed);
        return line.execute(arguments);
    }

    private static int misused(CommandLine.ParameterException error, String[] arguments) {
        PrintWriter err = error.getCommandLine().getErr();
        err.println(error.getMessage());
        err.println("Try '" + error.getCommandLine().getCommandSpec().qualifiedName() + " --help'.");
        return ExitCode.USAGE;
    }

    private static int failed(Exception error, CommandLine line, CommandLine.ParseResult parsed) throws Exception {
        if (error instanceof CliException known) {
            line.getErr().println(known.getMessage());
            return known.exitCode();
        }
        if (error instanceof ConfigException
                || error instanceof JournalException
                || error instanceof AccountException) {
            line.getErr().println(error.getMessage());
            return ExitCode.USAGE;
        }
        throw error;
    }

    /** Called without a command: says what there is. */
    static int usage(@Nullable CommandSpec spec) {
        if (spec != null) {
            spec.commandLine().usage(spec.commandLine().getErr());
        }
        return ExitCode.USAGE;
    }
}
