package org.klangk.health.server.cli;

import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.klangk.health.server.auth.AccountStore;
import org.klangk.health.server.auth.TokenFile;
import org.klangk.health.server.config.ConfigReader;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** A command about the accounts in a data directory, whether a server runs on it or not. */
abstract class AccountCommand implements Callable<Integer> {
    @Option(names = "--config", paramLabel = "FILE", description = "The YAML file of settings that the server uses.")
    private @Nullable Path config;

    @CommandLine.Spec
    private @Nullable CommandSpec spec;

    @Override
    public final Integer call() {
        Path directory = ConfigReader.read(System.getenv(), config).dataDir();
        TokenFile.prepare(directory);
        try (AccountStore accounts = AccountStore.open(directory)) {
            act(accounts);
        }
        return ExitCode.OK;
    }

    abstract void act(AccountStore accounts);

    /** A notice. */
    final void say(String notice) {
        if (spec != null) {
            spec.commandLine().getErr().println(notice);
        }
    }

    /** A line of the answer. */
    final void print(String... columns) {
        if (spec != null) {
            spec.commandLine().getOut().println(String.join("  ", columns));
        }
    }
}
