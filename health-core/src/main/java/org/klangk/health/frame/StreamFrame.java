package org.klangk.health.frame;

/** A frame about the stream itself; it is in no log. */
public sealed interface StreamFrame extends Frame permits Heartbeat, SnapshotEnd, Bookmark, Gone {}
