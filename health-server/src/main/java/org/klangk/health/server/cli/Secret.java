package org.klangk.health.server.cli;

import java.io.BufferedReader;
import java.io.Console;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Reads passwords: asked for on a terminal, without showing them; elsewhere the first line of standard input. */
final class Secret {
    private Secret() {}

    /** An existing password. */
    static String read(String prompt) {
        Console console = terminal();
        return console == null ? line() : typed(console, prompt);
    }

    /** A new password, which is asked for twice on a terminal. */
    static String readNew(String prompt) {
        Console console = terminal();
        if (console == null) {
            return line();
        }
        String password = typed(console, prompt);
        if (!password.equals(typed(console, "Again: "))) {
            throw new CliException(ExitCode.USAGE, "the two are not the same");
        }
        return password;
    }

    /** Newer JDKs have a console where there is no terminal, unless they are told to look at it as older ones do. */
    @SuppressWarnings("SystemConsoleNull")
    private static @Nullable Console terminal() {
        System.setProperty("jdk.console", "java.base");
        return System.console();
    }

    private static String typed(Console console, String prompt) {
        char[] typed = console.readPassword("%s", prompt);
        if (typed == null) {
            throw new CliException(ExitCode.USAGE, "no password was given");
        }
        String password = new String(typed);
        Arrays.fill(typed, ' ');
        return password;
    }

    private static String line() {
        try {
            String line = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8)).readLine();
            if (line == null) {
                throw new CliException(ExitCode.USAGE, "no password was given: its line on standard input is accepted");
            }
            return line;
        } catch (IOException e) {
            throw new CliException(ExitCode.USAGE, "the password cannot be read: " + e.getMessage());
        }
    }
}
