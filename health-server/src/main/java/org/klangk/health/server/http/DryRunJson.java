package org.klangk.health.server.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.klangk.health.server.http.Problem.FieldError;

/**
 * What is asked of a check that is run on request.
 *
 * @param isDry whether nothing is to come of it
 * @param command what to run in place of the workspace's check, null for that
 */
record DryRunJson(boolean isDry, @Nullable String command) {
    /** @throws Problem naming every field that cannot be accepted */
    static DryRunJson read(ObjectNode document) {
        List<FieldError> errors = new ArrayList<>();
        document.fieldNames().forEachRemaining(field -> {
            if (!field.equals("dry_run") && !field.equals("command")) {
                errors.add(new FieldError("/" + field, field + " is not a field; accepted are dry_run and command"));
            }
        });
        JsonNode dry = document.path("dry_run");
        JsonNode command = document.path("command");
        if (!dry.isMissingNode() && !dry.isBoolean()) {
            errors.add(new FieldError("/dry_run", "dry_run is " + dry + "; true or false is accepted"));
        }
        if (!command.isMissingNode() && !command.isTextual()) {
            errors.add(new FieldError("/command", "command is no text; a text is accepted"));
        } else if (command.isTextual() && !dry.asBoolean()) {
            errors.add(new FieldError("/command", "command is accepted with dry_run only"));
        }
        if (!errors.isEmpty()) {
            throw Problem.invalid(errors);
        }
        return new DryRunJson(dry.asBoolean(), command.isTextual() ? command.asText() : null);
    }
}
