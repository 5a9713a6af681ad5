package org.klangk.health.server.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What a {@code .klangk-sandbox.yaml} says of a workspace, as fields of a definition: {@code workspace.image}, and
 * {@code service-command}, {@code auto-start} and {@code health-check} there or beside it. All else in it is for others.
 */
final class SandboxFile {
    private static final String WORKSPACE = "workspace";
    private static final Map<String, String> FIELDS = fields();

    private SandboxFile() {}

    private static Map<String, String> fields() {
        Map<String, String> fields = new LinkedHashMap<>();
        fields.put("image", "image");
        fields.put("service-command", "service_command");
        fields.put("auto-start", "auto_start");
        fields.put("health-check", "health_check");
        return fields;
    }

    /** @throws CliException naming what cannot be read or accepted */
    static ObjectNode read(Path file) {
        JsonNode document = parse(file);
        JsonNode workspace = document.path(WORKSPACE);
        boolean absent = workspace.isMissingNode() || workspace.isNull();
        if (!(document.isObject() || document.isEmpty()) || !(workspace.isObject() || absent)) {
            throw unacceptable(file, "a map with 'workspace', a map, is accepted");
        }
        ObjectNode fields = Connection.JSON.createObjectNode();
        FIELDS.forEach((key, field) -> {
            JsonNode within = workspace.path(key);
            JsonNode beside = key.equals("image") ? within : document.path(key);
            if (within.isValueNode() && beside.isValueNode() && !within.equals(beside)) {
                throw unacceptable(file, key + " is there twice, and not the same");
            }
            JsonNode value = within.isMissingNode() ? beside : within;
            String where = within.isMissingNode() ? key : WORKSPACE + "." + key;
            if (!value.isMissingNode() && !value.isNull()) {
                fields.set(field, accepted(file, where, value, field.equals("auto_start")));
            }
        });
        return fields;
    }

    private static JsonNode parse(Path file) {
        try {
            return new YAMLMapper().readTree(Files.readString(file));
        } catch (NoSuchFileException e) {
            throw unacceptable(file, "no such file");
        } catch (IOException e) {
            throw unacceptable(
                    file, String.valueOf(e.getMessage()).lines().findFirst().orElse("cannot be read"));
        }
    }

    private static JsonNode accepted(Path file, String key, JsonNode value, boolean flag) {
        if (flag ? !value.isBoolean() : !value.isTextual()) {
            throw unacceptable(
                    file, key + " is " + value + "; " + (flag ? "true or false" : "a text") + " is accepted");
        }
        return value;
    }

    private static CliException unacceptable(Path file, String why) {
        return new CliException(ExitCode.USAGE, "--sandbox " + file + ": " + why);
    }
}
