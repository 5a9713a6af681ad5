package org.klangk.health.server.cli;

import com.fasterxml.jackson.databind.JsonNode;

/** What a command's exit says; the same for every command. */
final class ExitCode {
    static final int OK = 0;
    static final int UNHEALTHY = 1;
    static final int CANNOT_TELL = 2;
    static final int NOTHING_TO_JUDGE = 3;
    static final int USAGE = 64;
    static final int UNREACHABLE = 69;
    static final int NOT_ALLOWED = 77;

    private ExitCode() {}

    /** Of a workspace's state. */
    static int ofState(JsonNode status) {
        return switch (status.path("state").asText()) {
            case "healthy" -> OK;
            case "unhealthy" -> UNHEALTHY;
            case "stopped", "not_checked" -> NOTHING_TO_JUDGE;
            default -> CANNOT_TELL;
        };
    }

    /** Of a check's answer. */
    static int ofOutcome(JsonNode answer) {
        return switch (answer.path("outcome").asText()) {
            case "passed" -> OK;
            case "no_result" -> CANNOT_TELL;
            default -> UNHEALTHY;
        };
    }
}
