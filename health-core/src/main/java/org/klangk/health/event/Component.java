package org.klangk.health.event;

/** The parts that the monitor depends on. */
public enum Component {
    /** What runs the containers. */
    RUNTIME,
    /** Where events and frames are kept. */
    JOURNAL
}
