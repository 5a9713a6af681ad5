package org.klangk.health.history;

import java.util.Locale;
import org.klangk.health.event.ClockJumped;
import org.klangk.health.event.HealthEvent;
import org.klangk.health.event.MonitorEvent;
import org.klangk.health.event.SetupChanged;
import org.klangk.health.event.WorkspaceChanged;
import org.klangk.health.event.WorkspaceDefined;
import org.klangk.health.event.WorkspaceRemoved;

/** Kinds of history; their wire names are these in lower case. */
public enum HistoryKind {
    /** Results of the check, equal ones after each other as one. */
    RESULT,
    /** Another state. */
    TRANSITION,
    /** Its container, or the service in it. */
    CONTAINER,
    /** Defined, edited or removed. */
    DEFINITION,
    /** Its setup. */
    SETUP,
    /** A jump of the wall clock. */
    CLOCK,
    /** A part of the monitor failed or works again. */
    MONITOR;

    private final String wireName = name().toLowerCase(Locale.ROOT);

    /** The kind of an event that is no result. */
    static HistoryKind of(HealthEvent event) {
        if (event instanceof MonitorEvent) {
            return event instanceof ClockJumped ? CLOCK : MONITOR;
        }
        if (event instanceof SetupChanged) {
            return SETUP;
        }
        return event instanceof WorkspaceDefined
                        || event instanceof WorkspaceChanged
                        || event instanceof WorkspaceRemoved
                ? DEFINITION
                : CONTAINER;
    }

    /** Its name on the wire. */
    public String wireName() {
        return wireName;
    }
}
