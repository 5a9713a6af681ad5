package org.klangk.health.server.cli;

import com.fasterxml.jackson.databind.JsonNode;

/** What a failure usually means. Pure. */
final class Hint {
    private Hint() {}

    /** For a status; empty where there is nothing to add. */
    static String of(JsonNode status) {
        String message = status.path("health_message").asText("");
        int code = status.path("exit_code").asInt();
        if (code == 127 || message.contains("command not found")) {
            return "a check runs without a login shell: name programs by their absolute paths";
        }
        if (code == 126) {
            return "the program is there and may not be run as this user";
        }
        return status.path("outcome").asText().equals("timed_out")
                ? "what the check asks does not answer; --max-time of curl, below the timeout, says more"
                : "";
    }
}
