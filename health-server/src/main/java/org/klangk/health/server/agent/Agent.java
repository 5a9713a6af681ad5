package org.klangk.health.server.agent;

import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.annotation.JsonNaming;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A kind of agent, as its manifest describes it.
 *
 * @param agent its name
 * @param healthCheck the check of a workspace that names the agent and no check of its own; needs nothing but bash
 */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
public record Agent(String agent, String healthCheck) {
    private static final Map<String, Agent> ALL = read(List.of("hermes", "openclaw"));

    private static Map<String, Agent> read(List<String> names) {
        YAMLMapper yaml = new YAMLMapper();
        Map<String, Agent> agents = new TreeMap<>();
        for (String name : names) {
            try (InputStream in = Agent.class.getResourceAsStream(name + ".yaml")) {
                if (in == null) {
                    throw new IllegalStateException(name + ".yaml is missing");
                }
                agents.put(name, yaml.readValue(in, Agent.class));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return agents;
    }

    /** Reads the manifests, where a thread may wait; nothing here blocks after that. */
    public static void prepare() {
        Objects.requireNonNull(ALL);
    }

    /** The agent of this name. */
    public static Optional<Agent> named(String name) {
        return Optional.ofNullable(ALL.get(name));
    }

    /** The names of all there are. */
    public static List<String> names() {
        return List.copyOf(ALL.keySet());
    }
}
