package org.klangk.health.server.cli;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Logs in to a server that has users. */
@Command(
        name = "login",
        description = {
            "Logs in to a server that has users; every later command to that server uses the login.",
            "The password is asked for on a terminal; elsewhere the first line of standard input is taken."
        },
        footer = {"", "Example: klangkc login alice --server https://health.example.org"})
final class LoginCommand extends Klangkc.Base {
    @Parameters(paramLabel = "USER", arity = "0..1", description = "The user's name (default: that of this machine).")
    private @Nullable String user;

    @Override
    public Integer call() {
        String name = user == null ? System.getProperty("user.name") : user;
        server.login(name, Secret.read("Password for " + name + ": "));
        System.err.println("logged in to " + server.server() + " as " + name);
        return ExitCode.OK;
    }
}
