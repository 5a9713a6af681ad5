package org.klangk.health.server.http;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.klangk.health.event.ClockJumped;
import org.klangk.health.event.ComponentDown;
import org.klangk.health.event.ComponentUp;
import org.klangk.health.event.ContainerPaused;
import org.klangk.health.event.ContainerResumed;
import org.klangk.health.event.ContainerStarted;
import org.klangk.health.event.ContainerStopped;
import org.klangk.health.event.HealthEvent;
import org.klangk.health.event.ServiceStarted;
import org.klangk.health.event.SetupChanged;
import org.klangk.health.event.WorkspaceChanged;
import org.klangk.health.event.WorkspaceDefined;
import org.klangk.health.event.WorkspaceRemoved;
import org.klangk.health.history.Explanation;
import org.klangk.health.history.Happened;
import org.klangk.health.history.HistoryEntry;
import org.klangk.health.history.HistoryKind;
import org.klangk.health.history.HistoryQuery;
import org.klangk.health.history.OtherPolicy;
import org.klangk.health.history.ResultRun;
import org.klangk.health.history.Transition;
import org.klangk.health.history.Uptime;
import org.klangk.health.transport.wire.WireText;
import org.klangk.health.workspace.Workspace;

/** A workspace's past in JSON, and what is asked of it. Pure. */
final class HistoryJson {
    private static final int DEFAULT_LIMIT = 100;
    private static final int MAX_LIMIT = 1_000;
    private static final int MAX_STEPS = 1_000;
    private static final Duration DAY = Duration.ofDays(1);
    private static final Duration LONGEST = Duration.ofDays(366);
    private static final String KINDS =
            Arrays.stream(HistoryKind.values()).map(HistoryKind::wireName).collect(Collectors.joining(", "));

    private HistoryJson() {}

    /** {@code after}, {@code limit} and {@code kind}, the last more than once or with commas between. */
    static HistoryQuery query(Exchange exchange) {
        Integer limit = exchange.wholeNumber("limit", 1, MAX_LIMIT);
        Long after = exchange.wholeNumber("after");
        Set<HistoryKind> kinds = EnumSet.noneOf(HistoryKind.class);
        for (String list : exchange.query().getOrDefault("kind", List.of())) {
            for (String name : list.split(",", -1)) {
                kinds.add(kind(name));
            }
        }
        return new HistoryQuery(
                after,
                limit == null ? DEFAULT_LIMIT : limit,
                kinds.isEmpty() ? EnumSet.allOf(HistoryKind.class) : kinds);
    }

    private static HistoryKind kind(String name) {
        return Arrays.stream(HistoryKind.values())
                .filter(kind -> kind.wireName().equals(name))
                .findFirst()
                .orElseThrow(() -> Problem.invalid("kind", "kind is '" + name + "'; " + KINDS + " are accepted"));
    }

    /** {@code window}, a day where there is none. */
    static Duration window(Exchange exchange) {
        return exchange.duration("window", DAY, Duration.ofSeconds(1), LONGEST);
    }

    /** {@code since}, a day where there is none. */
    static Duration since(Exchange exchange) {
        return exchange.duration("since", DAY, Duration.ofSeconds(1), LONGEST);
    }

    /** {@code failures}, {@code successes} and {@code grace}, within the limits of definitions. */
    static OtherPolicy policy(Exchange exchange) {
        return new OtherPolicy(
                exchange.wholeNumber("failures", 1, 1_000),
                exchange.wholeNumber("successes", 1, 1_000),
                exchange.parameter("grace") == null
                        ? null
                        : exchange.duration("grace", Duration.ZERO, Duration.ZERO, DAY));
    }

    /** The latest steps of an explanation; those under another policy where one was tried. */
    static ObjectNode write(Explanation asItWas, @Nullable Explanation tried) {
        List<Explanation.Step> all = (tried == null ? asItWas : tried).steps();
        int omitted = Math.max(0, all.size() - MAX_STEPS);
        ObjectNode json = Exchange.JSON.createObjectNode();
        json.put("turns", asItWas.turns());
        json.put("would_have_been", tried == null ? null : (Integer) tried.turns());
        json.put("omitted", omitted);
        ArrayNode steps = json.putArray("steps");
        all.stream()
                .skip(omitted)
                .forEach(step -> steps.addObject()
                        .put("at", WireText.time(step.at()))
                        .put("what", step.what())
                        .put("effect", step.effect())
                        .put("turned", step.turned()));
        return json;
    }

    /**
     * What was found where one more than {@code query} wants was asked for.
     *
     * @param commands whether the caller may read what runs
     */
    static ObjectNode page(List<HistoryEntry> found, HistoryQuery query, boolean commands) {
        boolean more = found.size() > query.limit();
        boolean latest = query.after() == null;
        List<HistoryEntry> page = !more
                ? found
                : latest ? found.subList(found.size() - query.limit(), found.size()) : found.subList(0, query.limit());
        ObjectNode json = Exchange.JSON.createObjectNode();
        ArrayNode items = json.putArray("items");
        page.forEach(entry -> items.add(write(entry, commands)));
        json.put("has_more", more && !latest);
        json.put(
                "next",
                page.isEmpty()
                        ? query.after()
                        : (Long) page.get(page.size() - 1).id());
        return json;
    }

    private static ObjectNode write(HistoryEntry entry, boolean commands) {
        ObjectNode json = Exchange.JSON.createObjectNode();
        json.put("id", entry.id());
        if (entry.rev() > 0) {
            json.put("rev", entry.rev());
        }
        json.put("at", WireText.time(entry.at()));
        json.put("kind", entry.kind().wireName());
        if (entry instanceof ResultRun run) {
            results(json, run);
        } else if (entry instanceof Transition turn) {
            transition(json, turn);
        } else if (entry instanceof Happened happened) {
            event(json, happened.event(), commands);
        }
        return json;
    }

    private static void results(ObjectNode json, ResultRun run) {
        json.put("outcome", WireText.word(run.first().result().outcome()));
        json.put("exit_code", run.first().result().exitCode());
        json.put("message", run.first().result().message());
        json.put("counted", run.counted());
        json.put("on_demand", run.first().onDemand());
        json.put("incarnation", run.first().incarnation());
        json.put("count", run.count());
        json.put("last_at", WireText.time(run.lastAt()));
        json.put("last_message", run.lastMessage());
        json.put("duration_min_ms", run.shortest().toMillis());
        json.put("duration_mean_ms", run.total().toMillis() / run.count());
        json.put("duration_max_ms", run.longest().toMillis());
        json.put("start_delay_max_ms", run.longestStartDelay().toMillis());
    }

    private static void transition(ObjectNode json, Transition turn) {
        json.put("from", WireText.word(turn.from()));
        json.put("to", turn.to() == null ? null : WireText.word(turn.to().state()));
        json.put("reason", turn.to() == null ? null : turn.to().reason());
        json.put("since", WireText.time(turn.since()));
        json.put("message", turn.message());
        json.put("cause", WireText.word(turn.stop()));
    }

    private static void event(ObjectNode json, HealthEvent event, boolean commands) {
        if (event instanceof WorkspaceDefined defined) {
            definition(json, "defined", defined.actor(), defined.workspace(), commands);
        } else if (event instanceof WorkspaceChanged changed) {
            definition(json, "edited", changed.actor(), changed.workspace(), commands);
        } else if (event instanceof WorkspaceRemoved removed) {
            definition(json, "removed", removed.actor(), null, commands);
        } else if (event instanceof SetupChanged setup) {
            json.put("actor", setup.actor());
            json.put("setup_state", WireText.word(setup.setup()));
        } else if (event instanceof ContainerStarted started) {
            json.put("event", "started");
            json.put("container_id", started.run().containerId());
            json.put("started_at", WireText.time(started.startedAt()));
        } else if (event instanceof ContainerStopped stopped) {
            json.put("event", "stopped");
            json.put("container_id", stopped.run().containerId());
            json.put("ended_at", WireText.time(stopped.endedAt()));
            json.put("cause", WireText.word(stopped.cause().kind()));
            json.put("exit_code", stopped.cause().exitCode());
            json.put("message", stopped.cause().message());
        } else if (event instanceof ContainerPaused) {
            json.put("event", "paused");
        } else if (event instanceof ContainerResumed) {
            json.put("event", "resumed");
        } else if (event instanceof ServiceStarted) {
            json.put("event", "service_started");
        } else if (event instanceof ClockJumped jumped) {
            json.put("jump_ms", jumped.jump().toMillis());
        } else if (event instanceof ComponentDown down) {
            monitor(json, WireText.word(down.component()), down.message());
        } else if (event instanceof ComponentUp up) {
            monitor(json, WireText.word(up.component()), null);
        }
    }

    private static void definition(
            ObjectNode json, String what, @Nullable String actor, @Nullable Workspace workspace, boolean commands) {
        json.put("event", what);
        json.put("actor", actor);
        if (workspace != null) {
            json.set("workspace", WorkspaceJson.write(workspace, commands));
        }
    }

    private static void monitor(ObjectNode json, @Nullable String component, @Nullable String trouble) {
        json.put("component", component);
        json.put("healthy", trouble == null);
        json.put("message", trouble);
    }

    /** In seconds; they add up to the window to the millisecond. */
    static ObjectNode write(Uptime sum) {
        ObjectNode json = Exchange.JSON.createObjectNode();
        json.put("from", WireText.time(sum.from()));
        json.put("to", WireText.time(sum.to()));
        json.put("window", seconds(Duration.between(sum.from(), sum.to())));
        json.put("up", seconds(sum.up()));
        json.put("down", seconds(sum.down()));
        json.put("could_not_tell", seconds(sum.couldNotTell()));
        json.put("off", seconds(sum.off()));
        return json;
    }

    private static BigDecimal seconds(Duration duration) {
        return BigDecimal.valueOf(duration.toMillis(), 3);
    }
}
