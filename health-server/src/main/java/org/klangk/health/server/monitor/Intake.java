package org.klangk.health.server.monitor;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Takes frames of the full view in the order in which they come: remembers where to go on, and decides which of them are shown and
 * which a command runs for. Not thread-safe.
 */
public final class Intake {
    /** The types of Klangk's own view. */
    private static final Set<String> KLANGK =
            Set.of("service_health", "container_status", "workspaces_changed", "service_health_heartbeat");

    /** For which workspaces of a first snapshot a command runs. */
    public enum OnConnect {
        unhealthy,
        all,
        none
    }

    /**
     * What is wanted.
     *
     * @param types types of frames, all of the view where there are none
     * @param workspaces ids, all where there are none
     * @param full the full view rather than Klangk's
     * @param onConnect for which workspaces of a first snapshot a command runs
     */
    public record Wanted(Set<String> types, Set<String> workspaces, boolean full, OnConnect onConnect) {
        public Wanted {
            types = Set.copyOf(types);
            workspaces = Set.copyOf(workspaces);
        }

        boolean has(Event event) {
            boolean type = types.isEmpty() ? full || KLANGK.contains(event.type()) : types.contains(event.type());
            return type
                    && (workspaces.isEmpty() || event.workspace().isEmpty() || workspaces.contains(event.workspace()));
        }
    }

    /**
     * What to do with a frame.
     *
     * @param shown whether it is shown
     * @param runs whether a command runs for it
     * @param missed whether others came before it that are gone
     */
    public record Verdict(boolean shown, boolean runs, boolean missed) {
        private static final Verdict NOTHING = new Verdict(false, false, false);
    }

    private final Wanted wanted;
    private final Map<String, Long> done;
    /** The last verdict of each workspace that was taken, by epoch and number. */
    private final Map<String, String> seen = new HashMap<>();

    private @Nullable String position;
    private boolean missed;

    /** @param from where an earlier monitor stopped */
    public Intake(Wanted wanted, Place from) {
        this.wanted = wanted;
        this.position = from.position();
        this.done = new HashMap<>(from.done());
    }

    /** Where to go on after what was taken; null where only a snapshot will do. */
    public @Nullable String position() {
        return position;
    }

    /** Takes the next frame. */
    public Verdict take(Event event) {
        boolean shown = wanted.has(event);
        if (event.is("gone")) {
            position = null;
            done.clear();
            missed = true;
            return new Verdict(shown, false, false);
        }
        if (event.is("snapshot_end") || event.is("bookmark")) {
            position = event.id();
            missed &= event.is("bookmark");
            return new Verdict(shown, false, false);
        }
        if (event.isChange()) {
            return change(event, shown);
        }
        return event.isSnapshot() && event.is("service_health")
                ? snapshot(event, shown)
                : new Verdict(shown, false, false);
    }

    private Verdict change(Event event, boolean shown) {
        String before = position;
        position = event.id();
        remember(event);
        Long doneTo = done.get(event.workspace());
        boolean sameLog = before != null && before.startsWith(event.epoch() + ".");
        return doneTo != null && sameLog && event.rev() <= doneTo ? Verdict.NOTHING : new Verdict(shown, shown, false);
    }

    private Verdict snapshot(Event event, boolean shown) {
        String last = seen.get(event.workspace());
        boolean news = !number(event).equals(last);
        remember(event);
        boolean unhealthy = !event.frame().path("healthy").asBoolean();
        boolean runs = last == null
                ? wanted.onConnect() == OnConnect.all || (wanted.onConnect() == OnConnect.unhealthy && unhealthy)
                : missed && news;
        return new Verdict(shown, shown && runs, missed);
    }

    private void remember(Event event) {
        if (event.is("service_health")) {
            seen.put(event.workspace(), number(event));
        } else if (event.is("workspace_removed")) {
            seen.remove(event.workspace());
        }
    }

    private static String number(Event event) {
        return event.epoch() + "." + event.frame().path("seq").asText();
    }
}
