package org.klangk.health.server.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.klangk.health.random.Unguessable;
import org.klangk.health.server.monitor.Backoff;
import org.klangk.health.server.monitor.CommandRunner;
import org.klangk.health.server.monitor.Cursor;
import org.klangk.health.server.monitor.Event;
import org.klangk.health.server.monitor.Intake;
import org.klangk.health.server.monitor.Outbox;
import org.klangk.health.server.monitor.Place;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Prints frames as they come, or runs a command for each change. */
@Command(
        name = "monitor",
        description = "Shows every change as it happens, or runs a command for each, for ever.",
        footer = {
            "",
            "Without a command it prints one frame per line, the snapshot first. With",
            "one, the command runs per change, in order for each workspace, the frame on",
            "its standard input and in KLANGK_EVENT, its fields in KLANGK_EVENT_TYPE,",
            "KLANGK_WORKSPACE_ID, KLANGK_WORKSPACE_NAME, KLANGK_HEALTHY, KLANGK_RUNNING,",
            "KLANGK_HEALTH_STATE, KLANGK_HEALTH_MESSAGE, KLANGK_HEALTH_CHECKED_AT and",
            "KLANGK_HEALTH_SEQ.",
            "",
            "KLANGK_EVENT_ID is the same for the same event, should it come twice: with a",
            "cursor every change comes at least once, and one whose command was running",
            "when the monitor was killed comes again. KLANGK_HEALTH_MISSED is true when",
            "others before it are lost. A lost connection is made again and nothing is",
            "missed.",
            "",
            "Examples:",
            "  klangkc monitor --type service_health",
            "  klangkc monitor --type service_health --cursor ~/.pager -- ./page-me",
            "  klangkc monitor -- sh -c '$KLANGK_HEALTHY || mail -s \"$KLANGK_EVENT\" me'"
        })
final class MonitorCommand extends Klangkc.Base {
    /** Frames that may wait for their command; what does not fit stays with the server. */
    private static final int WAITING = 2_000;

    private static final long END_MILLIS = 3_000;
    private static final String SUBSCRIBE = "{\"cmd\":\"subscribe_health_heartbeat\"}";

    @Option(names = "--type", paramLabel = "TYPE", description = "Only frames of this type; may be repeated.")
    private List<String> types = new ArrayList<>();

    @Option(
            names = "--workspace",
            paramLabel = "NAME",
            description = "Only this workspace, by name or id; may be repeated.")
    private List<String> workspaces = new ArrayList<>();

    @Option(
            names = "--view",
            paramLabel = "VIEW",
            defaultValue = "klangk",
            description = "klangk or full (default ${DEFAULT-VALUE}).")
    private String view = "klangk";

    @Option(
            names = "--cursor",
            paramLabel = "FILE",
            description = "Keeps here how far it has come, and goes on from there when it is started again.")
    private @Nullable Path cursor;

    @Option(
            names = "--on-connect",
            paramLabel = "WHICH",
            defaultValue = "unhealthy",
            description = "For which workspaces the command runs at the very first connection: unhealthy, all or none"
                    + " (default ${DEFAULT-VALUE}).")
    private Intake.OnConnect onConnect = Intake.OnConnect.unhealthy;

    @Option(
            names = "--command-timeout",
            paramLabel = "TIME",
            defaultValue = "30s",
            description = "How long the command may take before it is killed (default ${DEFAULT-VALUE}).")
    private String commandTimeout = "30s";

    @Option(
            names = "--retry",
            paramLabel = "N",
            defaultValue = "0",
            description = "How often a command that failed is run again (default ${DEFAULT-VALUE}).")
    private int retry;

    @Option(
            names = "--parallel",
            paramLabel = "N",
            defaultValue = "4",
            description = "For how many workspaces the command runs at once (default ${DEFAULT-VALUE}).")
    private int parallel = 4;

    @Option(
            names = "--heartbeat",
            description = {
                "Heartbeats as well; when they stop, that is told, and the command runs once with the type",
                "monitor_silent."
            })
    private boolean heartbeat;

    @Option(
            names = "--max-reconnects",
            paramLabel = "N",
            description = "Gives up after so many failed attempts in a row (default: never).")
    private @Nullable Integer maxReconnects;

    @Option(names = "--no-reconnect", description = "Ends with the first connection.")
    private boolean noReconnect;

    @Option(
            names = "--max-delay",
            paramLabel = "TIME",
            defaultValue = "60s",
            description = "The longest wait between two attempts (default ${DEFAULT-VALUE}).")
    private String maxDelay = "60s";

    @Parameters(paramLabel = "COMMAND", arity = "0..*", description = "A command and its arguments, after --.")
    private List<String> command = new ArrayList<>();

    @Override
    public Integer call() throws IOException {
        validate();
        try (Cursor taken = cursor == null ? null : Cursor.take(cursor)) {
            return monitor(taken);
        } catch (Cursor.UnusableException e) {
            throw new CliException(ExitCode.USAGE, String.valueOf(e.getMessage()));
        }
    }

    private void validate() {
        if (!view.equals("klangk") && !view.equals("full")) {
            throw new CliException(ExitCode.USAGE, "--view " + view + ": klangk or full is accepted");
        }
        atLeast("--retry", retry, 0);
        atLeast("--parallel", parallel, 1);
        if (maxReconnects != null) {
            atLeast("--max-reconnects", maxReconnects, 0);
        }
    }

    private static void atLeast(String option, int value, int least) {
        if (value < least || value > 1_000_000) {
            throw new CliException(
                    ExitCode.USAGE,
                    option + " " + value + ": a whole number from " + least + " to 1000000 is accepted");
        }
    }

    private static Duration duration(String option, String text) {
        return TimeOption.parse(option, text, time -> !time.isZero(), "a duration above zero (30, 30s, 2m)");
    }

    private int monitor(@Nullable Cursor taken) {
        Duration timeout = duration("--command-timeout", commandTimeout);
        Duration longest = duration("--max-delay", maxDelay);
        Place from = taken == null ? Place.BEGINNING : taken.read();
        Progress progress = new Progress(taken, MonitorCommand::notice);
        CommandRunner runner = new CommandRunner(command, timeout, retry, MonitorCommand::notice);
        Outbox box = command.isEmpty() ? null : new Outbox(runner, parallel, WAITING, progress::reached);
        Link link = new Link(
                server,
                new Link.Patience(maxReconnects, !noReconnect, longest),
                new Backoff(longest, Unguessable::below),
                MonitorCommand::notice);
        Feed feed = new Feed(() -> intake(from), box, progress, link, this::print);
        Silence silence = heartbeat ? new Silence(feed::silent, MonitorCommand::notice) : null;
        Thread stop = new Thread(() -> stop(link, box, progress), "klangk-stop");
        Runtime.getRuntime().addShutdownHook(stop);
        int exit = link.run(feed::query, heartbeat ? SUBSCRIBE : null, text -> {
            if (silence != null) {
                silence.hear(text);
            }
            feed.take(text);
        });
        if (box != null) {
            box.awaitEmpty();
        }
        progress.flush();
        return exit;
    }

    /** What is left then comes again at the next start, where there is a cursor. */
    private static void stop(Link link, @Nullable Outbox box, Progress progress) {
        link.end();
        if (box != null) {
            box.close(END_MILLIS);
        }
        progress.flush();
    }

    /** Names are looked up once there is a server to ask. */
    private Intake intake(Place from) {
        Set<String> ids = new HashSet<>();
        workspaces.forEach(name -> ids.add(server.idOf(name)));
        return new Intake(new Intake.Wanted(new HashSet<>(types), ids, view.equals("full"), onConnect), from);
    }

    /** False when nobody reads any more. */
    private boolean print(Event event) {
        output.line(output.form() == Output.Form.wide ? FrameText.of(event.frame(), event.text()) : event.text());
        return !System.out.checkError();
    }

    private static void notice(String text) {
        System.err.println(text);
    }
}
