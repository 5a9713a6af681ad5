package org.klangk.health.server.http;

import java.io.Serial;
import java.util.List;
import java.util.stream.Collectors;
import org.klangk.health.probe.NotCheckableException;
import org.klangk.health.runtime.RefusedException;
import org.klangk.health.server.auth.Accounts;
import org.klangk.health.service.NameTakenException;
import org.klangk.health.service.NoSuchWorkspaceException;
import org.klangk.health.service.TooManyWorkspacesException;
import org.klangk.health.workspace.InvalidWorkspaceException;
import org.klangk.health.writer.OverloadedException;

/** An error as a client sees it (RFC 9457). */
final class Problem extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1;

    /** One field that cannot be accepted: a JSON pointer to it, and what is wrong. */
    record FieldError(String pointer, String detail) {}

    private final int status;
    private final String type;
    private final String title;
    private final transient List<FieldError> errors;

    private Problem(int status, String type, String title, String detail, List<FieldError> errors) {
        super(detail, null, false, false);
        this.status = status;
        this.type = type;
        this.title = title;
        this.errors = errors;
    }

    static Problem of(int status, String type, String title, String detail) {
        return new Problem(status, type, title, detail, List.of());
    }

    static Problem invalid(List<FieldError> errors) {
        String all = errors.stream().map(FieldError::detail).collect(Collectors.joining("; "));
        String detail = errors.size() == 1 ? all : errors.size() + " fields cannot be accepted: " + all;
        return new Problem(400, "invalid-request", "The request cannot be accepted", detail, errors);
    }

    static Problem invalid(String field, String detail) {
        return invalid(List.of(new FieldError(field.isEmpty() ? "" : "/" + field, detail)));
    }

    static Problem unauthorized() {
        return of(401, "unauthorized", "Not authenticated", "a valid token is needed: Authorization: Bearer <token>");
    }

    /** The token was good once. */
    static Problem expired() {
        return of(401, "token-expired", "Not authenticated any more", "the token has expired; refresh it or log in");
    }

    static Problem forbidden(String detail) {
        return of(403, "forbidden", "Not allowed", detail);
    }

    /** The problem that an error is; anything unforeseen is an internal one, whose cause stays here. */
    static Problem from(Throwable error) {
        if (error instanceof Problem problem) {
            return problem;
        }
        String detail = String.valueOf(error.getMessage());
        if (error instanceof InvalidWorkspaceException invalid) {
            return invalid(invalid.violations().stream()
                    .map(one -> new FieldError("/" + one.field(), one.field() + " " + one.detail()))
                    .toList());
        }
        if (error instanceof NoSuchWorkspaceException) {
            return of(404, "workspace-not-found", "No such workspace", detail);
        }
        if (error instanceof NameTakenException) {
            return of(409, "name-taken", "The name is taken", detail);
        }
        if (error instanceof TooManyWorkspacesException) {
            return of(409, "too-many-workspaces", "Too many workspaces", detail);
        }
        if (error instanceof Accounts.TooManyAttemptsException) {
            return of(429, "too-many-attempts", "Too many attempts", detail);
        }
        if (error instanceof NotCheckableException) {
            return of(409, "not-checkable", "Nothing can be checked", detail);
        }
        if (error instanceof RefusedException) {
            return of(409, "runtime-refused", "It cannot be run", detail);
        }
        return error instanceof OverloadedException
                ? of(503, "overloaded", "Overloaded", detail)
                : of(500, "internal-error", "Internal error", "the server failed; its log says why");
    }

    int status() {
        return status;
    }

    String type() {
        return "/problems/" + type;
    }

    String title() {
        return title;
    }

    List<FieldError> errors() {
        return errors;
    }
}
