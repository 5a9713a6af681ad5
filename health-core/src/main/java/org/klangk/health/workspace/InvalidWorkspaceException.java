package org.klangk.health.workspace;

import java.util.List;
import java.util.stream.Collectors;

/** A definition that cannot be accepted; says for every field what is wrong with it. */
public final class InvalidWorkspaceException extends IllegalArgumentException {
    /**
     * One field that cannot be accepted.
     *
     * @param field its wire name, such as {@code interval}
     * @param detail the value and what is accepted
     */
    public record Violation(String field, String detail) {}

    private final transient List<Violation> violations;

    /** @param violations at least one */
    public InvalidWorkspaceException(List<Violation> violations) {
        super(violations.stream().map(v -> v.field() + " " + v.detail()).collect(Collectors.joining("; ")));
        this.violations = List.copyOf(violations);
    }

    /** One violation. */
    public InvalidWorkspaceException(String field, String detail) {
        this(List.of(new Violation(field, detail)));
    }

    /** What is wrong, at least one entry. */
    public List<Violation> violations() {
        return violations;
    }
}
