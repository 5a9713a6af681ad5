package org.klangk.health.server.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.List;
import java.util.Timer;
import java.util.TimerTask;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.klangk.health.random.Unguessable;
import org.klangk.health.server.monitor.Backoff;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Waits until a workspace is as somebody wants it. */
@Command(
        name = "wait",
        description =
                "Waits until a workspace is in a state; the exit code is 0 then, and that of its state when it is too late.",
        footer = {"", "Example: klangkc wait gateway --for healthy --timeout 60s && ./use-it"})
final class WaitCommand extends Klangkc.Base {
    private static final List<String> STATES =
            List.of("healthy", "unhealthy", "starting", "stale", "unknown", "not_checked", "stopped");
    private static final Duration LONGEST_DELAY = Duration.ofSeconds(5);

    @Parameters(paramLabel = "NAME", description = "Its name or id.")
    private String name = "";

    @Option(
            names = "--for",
            paramLabel = "STATE",
            defaultValue = "healthy",
            description = "Which state (default ${DEFAULT-VALUE}).")
    private String wanted = "healthy";

    @Option(
            names = "--timeout",
            paramLabel = "TIME",
            defaultValue = "60s",
            description = "For how long (default ${DEFAULT-VALUE}).")
    private String timeout = "60s";

    private final AtomicReference<@Nullable JsonNode> last = new AtomicReference<>();

    @Override
    public Integer call() {
        if (!STATES.contains(wanted)) {
            throw new CliException(
                    ExitCode.USAGE, "--for " + wanted + ": one of " + String.join(", ", STATES) + " is accepted");
        }
        Duration limit = TimeOption.parse("--timeout", timeout);
        String path = server.workspace(name) + "/status";
        String id = server.idOf(name);
        if (look(path)) {
            return done();
        }
        Link link = new Link(
                server,
                new Link.Patience(null, true, LONGEST_DELAY),
                new Backoff(LONGEST_DELAY, Unguessable::below),
                System.err::println);
        new Timer("klangk-wait", true)
                .schedule(
                        new TimerTask() {
                            @Override
                            public void run() {
                                link.end();
                            }
                        },
                        limit.toMillis());
        int end = link.run(() -> "view=full", null, frame -> {
            // What a frame says may be over by now; what counts is how it is.
            boolean about = frame.contains(id) || frame.contains("\"snapshot_end\"");
            if (about && look(path)) {
                link.end();
            }
        });
        JsonNode status = last.get();
        if (end != ExitCode.OK || status == null) {
            return end == ExitCode.OK ? ExitCode.CANNOT_TELL : end;
        }
        return done();
    }

    private boolean look(String path) {
        JsonNode status = server.get(path);
        last.set(status);
        return status.path("state").asText().equals(wanted);
    }

    private int done() {
        JsonNode status = last.get();
        if (status == null) {
            return ExitCode.CANNOT_TELL;
        }
        output.status(status);
        if (status.path("state").asText().equals(wanted)) {
            return ExitCode.OK;
        }
        System.err.println(
                name + " is " + status.path("state").asText() + " and was not " + wanted + " within " + timeout);
        int code = ExitCode.ofState(status);
        return code == ExitCode.OK ? ExitCode.UNHEALTHY : code;
    }
}
