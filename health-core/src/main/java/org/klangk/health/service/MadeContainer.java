package org.klangk.health.service;

import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.klangk.health.pipeline.Board;
import org.klangk.health.workspace.Workspace;

/** What the container is called that is made for a workspace with an image, and where its home is. Pure. */
final class MadeContainer {
    private static final String PREFIX = "klangk-";
    private static final String HOME = "/home/klangk";
    private static final Pattern NOT_FOR_NAMES = Pattern.compile("[^a-zA-Z0-9_.-]");

    private MadeContainer() {}

    /**
     * {@code wanted} with its container, where it has an image; once it has one it keeps it, whatever it is renamed to.
     *
     * @param before its present definition, null for a new one
     */
    static Workspace complete(Board board, Workspace wanted, @Nullable Workspace before) {
        if (wanted.image() == null) {
            return wanted;
        }
        String known = before == null || before.image() == null ? null : before.container();
        return wanted.in(known == null ? free(board, wanted) : known, Objects.requireNonNullElse(wanted.home(), HOME));
    }

    private static String free(Board board, Workspace wanted) {
        String name = NOT_FOR_NAMES.matcher(wanted.name()).replaceAll("-");
        String container = PREFIX + name;
        boolean taken = board.all().stream()
                .anyMatch(other -> container.equals(other.health().workspace().container()));
        return taken || !name.equals(wanted.name()) ? container + "-" + wanted.id() : container;
    }
}
