package org.klangk.health.server.cli;

import java.time.Clock;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.klangk.health.server.auth.AccountStore;
import org.klangk.health.server.auth.User;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The users of a server with {@code KLANGK_AUTH=password}. */
@Command(
        name = "user",
        description = {
            "Makes, changes and removes the users of a server with KLANGK_AUTH=password.",
            "A server that runs takes notice within a second."
        },
        subcommands = {
            UserCommand.Add.class,
            UserCommand.Password.class,
            UserCommand.Role.class,
            UserCommand.Remove.class,
            UserCommand.ListAll.class
        },
        footer = {
            "",
            "Passwords are asked for on a terminal; elsewhere the first line of standard input is taken.",
            "Example: klangkd user add alice --admin"
        })
final class UserCommand implements Callable<Integer> {
    @CommandLine.Spec
    private @Nullable CommandSpec spec;

    @Override
    public Integer call() {
        return Launch.usage(spec);
    }

    /** What a user is. */
    enum Kind {
        admin,
        member
    }

    @Command(name = "add", description = "Makes a user.")
    static final class Add extends AccountCommand {
        @Parameters(paramLabel = "NAME", description = "1 to 63 characters without spaces.")
        private String name = "";

        @Option(names = "--admin", description = "Sees and does everything; a member otherwise.")
        private boolean admin;

        @Override
        void act(AccountStore accounts) {
            accounts.addUser(
                    name,
                    Secret.readNew("Password for " + name + ": "),
                    admin,
                    Clock.systemUTC().instant());
            say(name + " is " + (admin ? "an administrator" : "a member"));
        }
    }

    @Command(
            name = "passwd",
            description = "Gives a user another password, and ends what they are logged in to; tokens stay.")
    static final class Password extends AccountCommand {
        @Parameters(paramLabel = "NAME", description = "The user's name.")
        private String name = "";

        @Override
        void act(AccountStore accounts) {
            accounts.setPassword(name, Secret.readNew("New password for " + name + ": "));
            say(name + " has another password and is logged out everywhere");
        }
    }

    @Command(name = "role", description = "Makes a user an administrator, or a member again.")
    static final class Role extends AccountCommand {
        @Parameters(index = "0", paramLabel = "NAME", description = "The user's name.")
        private String name = "";

        @Parameters(index = "1", paramLabel = "ROLE", description = "admin or member.")
        private Kind role = Kind.member;

        @Override
        void act(AccountStore accounts) {
            accounts.setAdmin(name, role == Kind.admin);
            say(name + " is " + (role == Kind.admin ? "an administrator" : "a member"));
        }
    }

    @Command(
            name = "rm",
            description = {
                "Removes a user and ends all their tokens. Their workspaces stay, for administrators;",
                "whoever gets the same name later owns them."
            })
    static final class Remove extends AccountCommand {
        @Parameters(paramLabel = "NAME", description = "The user's name.")
        private String name = "";

        @Override
        void act(AccountStore accounts) {
            accounts.removeUser(name);
            say(name + " is removed");
        }
    }

    @Command(name = "ls", description = "Lists the users.")
    static final class ListAll extends AccountCommand {
        @Override
        void act(AccountStore accounts) {
            for (User user : accounts.users()) {
                print(
                        user.name(),
                        user.admin() ? "admin" : "member",
                        user.createdAt().toString());
            }
        }
    }
}
