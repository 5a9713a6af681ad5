package org.klangk.health.server.http;

import org.jspecify.annotations.Nullable;
import org.klangk.health.frame.Position;
import org.klangk.health.frame.View;
import org.klangk.health.stream.WatchRequest;

/** What a client asks a stream for. Pure. */
final class WatchQuery {
    private WatchQuery() {}

    /**
     * The view of this name, Klangk's where none is given.
     *
     * @throws IllegalArgumentException when there is no such view
     */
    static View view(@Nullable String name) {
        if (name == null || name.equals("klangk")) {
            return View.KLANGK;
        }
        if (name.equals("full")) {
            return View.FULL;
        }
        throw new IllegalArgumentException("view: klangk or full is accepted");
    }

    /**
     * From a snapshot in this view or, where a position is given, from there, and then in full.
     *
     * @throws IllegalArgumentException when {@code after} is no position
     */
    static WatchRequest request(View view, @Nullable String after) {
        return after == null ? WatchRequest.all().view(view) : WatchRequest.after(Position.parse(after));
    }
}
