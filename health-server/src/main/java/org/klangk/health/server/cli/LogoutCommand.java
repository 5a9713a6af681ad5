package org.klangk.health.server.cli;

import picocli.CommandLine.Command;

/** Ends a login. */
@Command(name = "logout", description = "Ends the login to a server, and the streams that use it.")
final class LogoutCommand extends Klangkc.Base {
    @Override
    public Integer call() {
        System.err.println(
                server.logout() ? "logged out of " + server.server() : "not logged in to " + server.server());
        return ExitCode.OK;
    }
}
