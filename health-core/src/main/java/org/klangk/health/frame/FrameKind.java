package org.klangk.health.frame;

/** Whether a frame says how things are or that they changed. */
public enum FrameKind {
    SNAPSHOT,
    CHANGE
}
