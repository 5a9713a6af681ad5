package org.klangk.health.frame;

/** Which types of frames a subscriber gets. */
public enum View {
    /** What Klangk's own clients know. */
    KLANGK,
    /** Everything, positions included. */
    FULL
}
