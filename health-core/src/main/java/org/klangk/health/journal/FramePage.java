package org.klangk.health.journal;

import java.util.List;
import org.klangk.health.frame.LoggedFrame;

/**
 * Some frames of the log.
 *
 * @param frames in order, without a gap; empty when there are none yet, or when they are gone
 * @param compacted whether frames that were asked for were let go
 * @param oldest the oldest rev after which frames can be read
 */
public record FramePage(List<LoggedFrame> frames, boolean compacted, long oldest) {}
