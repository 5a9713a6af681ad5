package org.klangk.health.server.cli;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.klangk.health.server.auth.AccountStore;
import org.klangk.health.server.auth.Token;
import org.klangk.health.transport.wire.WireText;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Long-lived tokens for programs. */
@Command(
        name = "token",
        description = {
            "Makes and revokes tokens for programs, of users of a server with KLANGK_AUTH=password.",
            "A server that runs takes notice within a second."
        },
        subcommands = {TokenCommand.Create.class, TokenCommand.ListAll.class, TokenCommand.Revoke.class},
        footer = {"", "Example: klangkd token create alice --label pager --read-only --workspace gateway"})
final class TokenCommand implements Callable<Integer> {
    private static final Duration LONGEST = Duration.ofDays(3_660);

    @CommandLine.Spec
    private @Nullable CommandSpec spec;

    @Override
    public Integer call() {
        return Launch.usage(spec);
    }

    @Command(name = "create", description = "Makes a token and prints it; it is shown this once.")
    static final class Create extends AccountCommand {
        @Parameters(paramLabel = "USER", description = "Whose it is; it may never do more than they may.")
        private String user = "";

        @Option(names = "--label", paramLabel = "TEXT", required = true, description = "What it is for.")
        private String label = "";

        @Option(names = "--read-only", description = "Nothing can be changed with it.")
        private boolean readOnly;

        @Option(
                names = "--workspace",
                paramLabel = "W",
                description = "Only this workspace, by name or id; may be repeated.")
        private List<String> workspaces = new ArrayList<>();

        @Option(
                names = "--expires",
                paramLabel = "TIME",
                defaultValue = "90d",
                description = "For how long it is good; ${DEFAULT-VALUE} unless given.")
        private String expires = "90d";

        @Override
        void act(AccountStore accounts) {
            Duration life = TimeOption.parse(
                    "--expires",
                    expires,
                    time -> !time.isZero() && time.compareTo(LONGEST) <= 0,
                    "a duration above zero and up to 3660d (12h, 90d)");
            Set<String> only = workspaces.isEmpty() ? null : new TreeSet<>(workspaces);
            Instant now = Clock.systemUTC().instant();
            Token.Issued issued = Token.forProgram(user, label, readOnly, only, now, life);
            accounts.addToken(issued.token());
            print(issued.secret());
            say("token " + issued.token().id() + " of " + user + ", good until "
                    + WireText.time(issued.token().expiresAt()));
        }
    }

    @Command(name = "ls", description = "Lists the tokens of programs.")
    static final class ListAll extends AccountCommand {
        @Override
        void act(AccountStore accounts) {
            for (Token token : accounts.tokens()) {
                if (token.kind() == Token.Kind.API) {
                    print(
                            token.id(),
                            token.user(),
                            String.valueOf(token.label()),
                            token.readOnly() ? "read-only" : "read-write",
                            token.only() == null ? "all" : String.join(",", token.only()),
                            "until " + WireText.time(token.expiresAt()));
                }
            }
        }
    }

    @Command(name = "revoke", description = "Ends a token and the streams that it holds.")
    static final class Revoke extends AccountCommand {
        @Parameters(paramLabel = "ID", description = "Its id, as token ls shows it.")
        private String id = "";

        @Override
        void act(AccountStore accounts) {
            accounts.revoke(id);
            say("token " + id + " is revoked");
        }
    }
}
