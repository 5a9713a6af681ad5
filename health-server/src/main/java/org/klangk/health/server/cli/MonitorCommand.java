package org.klangk.health.server.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.klangk.health.transport.wire.WireText;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Prints frames as they come, or runs a command for each change. */
@Command(
        name = "monitor",
        description = "Shows every change as it happens, or runs a command for each.",
        footer = {
            "",
            "Without a command it prints one frame per line, the snapshot first. With one, the command runs per",
            "change, the frame on its standard input and in KLANGK_EVENT, its fields in KLANGK_WORKSPACE_ID,",
            "KLANGK_HEALTHY, KLANGK_RUNNING, KLANGK_HEALTH_MESSAGE and so on.",
            "",
            "Examples:",
            "  klangkc monitor --type service_health",
            "  klangkc monitor -- sh -c 'test $KLANGK_HEALTHY = true || mail -s \"$KLANGK_WORKSPACE_NAME\" me'"
        })
final class MonitorCommand extends Klangkc.Base {
    /** For which workspaces of the snapshot the command runs. */
    enum OnConnect {
        unhealthy,
        all,
        none
    }

    @Option(names = "--type", paramLabel = "TYPE", description = "Only frames of this type; may be repeated.")
    private List<String> types = new ArrayList<>();

    @Option(names = "--workspace", paramLabel = "NAME", description = "Only this workspace; may be repeated.")
    private List<String> workspaces = new ArrayList<>();

    @Option(
            names = "--view",
            paramLabel = "VIEW",
            defaultValue = "klangk",
            description = "klangk or full (default ${DEFAULT-VALUE}).")
    private String view = "klangk";

    @Option(names = "--heartbeat", description = "Heartbeats as well.")
    private boolean heartbeat;

    @Option(
            names = "--on-connect",
            paramLabel = "WHICH",
            defaultValue = "unhealthy",
            description = "For which workspaces of the snapshot the command runs: unhealthy, all or none.")
    private OnConnect onConnect = OnConnect.unhealthy;

    @Option(
            names = "--command-timeout",
            paramLabel = "TIME",
            defaultValue = "30s",
            description = "How long the command may take (default ${DEFAULT-VALUE}).")
    private String commandTimeout = "30s";

    @Parameters(paramLabel = "COMMAND", arity = "0..*", description = "A command and its arguments, after --.")
    private List<String> command = new ArrayList<>();

    private @Nullable FrameHook hook;
    private Set<String> wanted = Set.of();

    @Override
    public Integer call() {
        wanted = wantedIds();
        hook = command.isEmpty()
                ? null
                : new FrameHook(
                        command,
                        WireText.parseDuration(commandTimeout)
                                .orElseThrow(() -> new CliException(
                                        ExitCode.USAGE,
                                        "--command-timeout " + commandTimeout
                                                + ": a duration (30, 30s, 2m) is accepted")));
        if (!view.equals("klangk") && !view.equals("full")) {
            throw new CliException(ExitCode.USAGE, "--view " + view + ": klangk or full is accepted");
        }
        String greeting = heartbeat ? "{\"cmd\":\"subscribe_health_heartbeat\"}" : null;
        FrameSocket.Ended ended = FrameSocket.read(server, "view=" + view, greeting, this::frame);
        if (hook != null) {
            hook.finish();
        }
        System.err.println(ended);
        return ended.exitCode();
    }

    private Set<String> wantedIds() {
        Set<String> ids = new HashSet<>();
        workspaces.forEach(name -> ids.add(server.idOf(name)));
        return ids;
    }

    private void frame(String text) {
        JsonNode frame;
        try {
            frame = Connection.JSON.readTree(text);
        } catch (JsonProcessingException e) {
            System.err.println("a frame was not JSON and is left out");
            return;
        }
        if (!wants(frame)) {
            return;
        }
        if (hook == null) {
            output.line(output.form() == Output.Form.wide ? FrameText.of(frame, text) : text);
        } else if (runsFor(frame)) {
            hook.queue(frame, text);
        }
    }

    private boolean wants(JsonNode frame) {
        boolean type = types.isEmpty() || types.contains(frame.path("type").asText());
        return type
                && (wanted.isEmpty()
                        || wanted.contains(frame.path("workspace_id").asText()));
    }

    /** Changes, and of the snapshot what was asked for; what the stream says of itself is no change. */
    private boolean runsFor(JsonNode frame) {
        String kind = frame.path("kind").asText();
        if (kind.equals("change")) {
            return true;
        }
        boolean verdict = kind.equals("snapshot") && frame.path("type").asText().equals("service_health");
        return verdict
                && (onConnect == OnConnect.all
                        || (onConnect == OnConnect.unhealthy
                                && !frame.path("healthy").asBoolean()));
    }
}
