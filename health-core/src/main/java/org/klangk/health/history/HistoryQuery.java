package org.klangk.health.history;

import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which part of a workspace's past is wanted.
 *
 * @param after only entries of a higher number, the first ones; null for the latest ones
 * @param limit at most so many, at least 1
 * @param kinds only these
 */
public record HistoryQuery(@Nullable Long after, int limit, Set<HistoryKind> kinds) {

    public HistoryQuery {
        kinds = Set.copyOf(kinds);
    }

    /** The latest entries of every kind. */
    public static HistoryQuery latest(int limit) {
        return new HistoryQuery(null, limit, EnumSet.allOf(HistoryKind.class));
    }
}
