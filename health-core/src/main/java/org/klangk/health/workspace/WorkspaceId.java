package org.klangk.health.workspace;

import java.util.Objects;
import java.util.regex.Pattern;
import org.klangk.health.random.Unguessable;

/**
 * The identity of a workspace, stable over edits, container runs and restarts.
 *
 * @param value 1 to 64 characters of {@code [A-Za-z0-9_-]}, beginning with a letter or digit
 */
public record WorkspaceId(String value) implements Comparable<WorkspaceId> {
    private static final Pattern SHAPE = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_-]{0,63}");
    private static final Pattern GENERATED =
            Pattern.compile("[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}");

    /** @throws IllegalArgumentException when {@code value} has another shape */
    public WorkspaceId {
        Objects.requireNonNull(value, "value");
        if (!SHAPE.matcher(value).matches()) {
            throw new IllegalArgumentException("workspace id '" + value + "': 1 to 64 of [A-Za-z0-9_-] are accepted");
        }
    }

    /** A new random id (a UUID). */
    public static WorkspaceId random() {
        return new WorkspaceId(Unguessable.uuid().toString());
    }

    /** Whether {@code text} looks like an id that this service generates; a name never may. */
    public static boolean looksGenerated(String text) {
        return GENERATED.matcher(text).matches();
    }

    @Override
    public int compareTo(WorkspaceId other) {
        return value.compareTo(other.value);
    }

    @Override
    public String toString() {
        return value;
    }
}
