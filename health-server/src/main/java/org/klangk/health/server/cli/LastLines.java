package org.klangk.health.server.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;

/** What happened to a workspace last and what its service printed last, as the foot of a screen. */
final class LastLines {
    private static final int ENTRIES = 5;
    private static final int PRINTED = 5;
    private static final int BYTES = 4096;

    private LastLines() {}

    /** @param path of the workspace */
    static List<String> of(Connection server, String path) {
        List<String> lines = new ArrayList<>();
        for (JsonNode item : server.get(path + "/events?limit=" + ENTRIES).path("items")) {
            lines.add(item.path("at").asText() + "  " + EventsCommand.sentence(item));
        }
        // Who may not read the command may not read what it prints.
        if (server.get(path).hasNonNull("service_command")) {
            List<String> printed =
                    server.text(path + "/logs?bytes=" + BYTES).lines().toList();
            printed.stream()
                    .skip(Math.max(0, printed.size() - PRINTED))
                    .map(line -> "| " + line.replaceAll("\\p{Cntrl}", " "))
                    .forEach(lines::add);
        }
        return lines;
    }
}
