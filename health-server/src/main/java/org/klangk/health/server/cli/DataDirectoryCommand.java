package org.klangk.health.server.cli;

import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.klangk.health.server.config.ConfigReader;
import picocli.CommandLine;
import picocli.CommandLine.Option;

/** A command about what a server keeps, of which the server itself is not asked. */
abstract class DataDirectoryCommand implements Callable<Integer> {
    @Option(names = "--config", paramLabel = "FILE", description = "The YAML file of settings that the server uses.")
    private @Nullable Path config;

    @CommandLine.Spec
    private CommandLine.Model.@Nullable CommandSpec spec;

    @Override
    public final Integer call() {
        String done = act(ConfigReader.read(System.getenv(), config).dataDir());
        if (spec != null) {
            spec.commandLine().getErr().println(done);
        }
        return ExitCode.OK;
    }

    /** Does it and says what was done. */
    abstract String act(Path directory);
}
