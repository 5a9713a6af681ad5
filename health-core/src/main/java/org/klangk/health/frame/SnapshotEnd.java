package org.klangk.health.frame;

/**
 * The snapshot is complete: what it did not contain does not exist.
 *
 * @param position changes follow from here
 * @param count frames in the snapshot
 */
public record SnapshotEnd(Position position, int count) implements StreamFrame {
    @Override
    public FrameType type() {
        return FrameType.SNAPSHOT_END;
    }
}
