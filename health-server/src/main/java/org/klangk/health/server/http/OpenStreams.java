package org.klangk.health.server.http;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.klangk.health.server.auth.Caller;

/** How many streams each user holds. A server without accounts does not count. */
final class OpenStreams {
    private final int most;
    private final Map<String, Integer> open = new ConcurrentHashMap<>();

    /** @param most streams of one user */
    OpenStreams(int most) {
        this.most = most;
    }

    int most() {
        return most;
    }

    /** Counts one more; false when there are too many already, and then it is not counted. */
    boolean enter(Caller caller) {
        if (caller.equals(Caller.LOCAL)) {
            return true;
        }
        int count = open.merge(caller.user(), 1, Integer::sum);
        if (count > most) {
            leave(caller);
            return false;
        }
        return true;
    }

    /** Counts one less. */
    void leave(Caller caller) {
        if (!caller.equals(Caller.LOCAL)) {
            open.computeIfPresent(caller.user(), (user, count) -> count == 1 ? null : count - 1);
        }
    }
}
