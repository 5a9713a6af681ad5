package org.klangk.health.server.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The fields of a workspace, as options; the server says what each accepts. */
final class DefinitionOptions {
    @Option(names = "--container", paramLabel = "NAME", description = "Name or id of the container.")
    private @Nullable String container;

    @Option(
            names = "--image",
            paramLabel = "IMAGE",
            description = "What to make a container of, klangk-NAME; fetched where it is not there.")
    private @Nullable String image;

    @Option(
            names = "--health-check",
            paramLabel = "COMMAND",
            description = "The check, run by bash in the container; '' for none.")
    private @Nullable String healthCheck;

    @Option(names = "--user", paramLabel = "USER", description = "The user that check and service run as.")
    private @Nullable String user;

    @Option(names = "--home", paramLabel = "PATH", description = "HOME of check and service.")
    private @Nullable String home;

    @Option(names = "--workdir", paramLabel = "PATH", description = "The directory they start in.")
    private @Nullable String workdir;

    @Option(
            names = "--command",
            paramLabel = "COMMAND",
            description = "What serves in the container: a login shell runs it when the container starts.")
    private @Nullable String command;

    @Option(names = "--interval", paramLabel = "TIME", description = "From one check to the next (30s).")
    private @Nullable String interval;

    @Option(names = "--timeout", paramLabel = "TIME", description = "How long one check may take (10s).")
    private @Nullable String timeout;

    @Option(names = "--grace", paramLabel = "TIME", description = "How long a starting service may fail (30s).")
    private @Nullable String grace;

    @Option(names = "--start-interval", paramLabel = "TIME", description = "The interval while it starts (2s).")
    private @Nullable String startInterval;

    @Option(names = "--failures", paramLabel = "N", description = "Failures in a row that make it unhealthy (1).")
    private @Nullable Integer failures;

    @Option(names = "--successes", paramLabel = "N", description = "Passes in a row that make it healthy (1).")
    private @Nullable Integer successes;

    @Option(names = "--probe", paramLabel = "KIND", description = "session or exec.")
    private @Nullable String probe;

    @Option(names = "--auto-start", negatable = true, description = "Whether its service is started with the server.")
    private @Nullable Boolean autoStart;

    @Option(
            names = "--agent",
            paramLabel = "AGENT",
            description = "What serves: hermes or openclaw; brings a health check where none is given.")
    private @Nullable String agent;

    @Option(names = "--owner", paramLabel = "USER", description = "The user it belongs to; for administrators.")
    private @Nullable String owner;

    @Option(
            names = "--member",
            paramLabel = "USER",
            description = "One who may see it; may be repeated, and replaces those there were; '' for none.")
    private @Nullable List<String> members;

    @Option(names = "--setup", paramLabel = "STATE", description = "pending, complete or failed.")
    private @Nullable String setup;

    @Option(names = "--enabled", negatable = true, description = "Whether it is checked.")
    private @Nullable Boolean enabled;

    /** What was given, as a document for the server. */
    ObjectNode document() {
        ObjectNode document = Connection.JSON.createObjectNode();
        put(document, "container", container);
        put(document, "image", image);
        put(document, "health_check", healthCheck);
        put(document, "user", user);
        put(document, "home", home);
        put(document, "workdir", workdir);
        put(document, "service_command", command);
        put(document, "interval", interval);
        put(document, "timeout", timeout);
        put(document, "startup_grace", grace);
        put(document, "start_interval", startInterval);
        put(document, "probe", probe);
        put(document, "agent", agent);
        put(document, "setup_state", setup);
        put(document, "owner", owner);
        if (members != null) {
            ArrayNode names = document.putArray("members");
            members.stream().filter(member -> !member.isEmpty()).forEach(names::add);
        }
        if (autoStart != null) {
            document.put("auto_start", autoStart);
        }
        if (failures != null) {
            document.put("failures_before_unhealthy", failures);
        }
        if (successes != null) {
            document.put("successes_before_healthy", successes);
        }
        if (enabled != null) {
            document.put("enabled", enabled);
        }
        return document;
    }

    private static void put(ObjectNode document, String field, @Nullable String value) {
        if (value != null) {
            document.put(field, value);
        }
    }
}
