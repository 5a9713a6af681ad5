package org.klangk.health.server.config;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;
import org.klangk.health.time.Durations;
import org.klangk.health.transport.wire.WireText;

/**
 * Named values from the environment and a file, read with clear errors. A key {@code listen} is the variable
 * {@code KLANGK_LISTEN} and the file's {@code listen}; the environment goes first.
 */
final class Settings {
    private static final String[] PREFIXES = {"KLANGK_", "KLANGKD_"};

    private record Value(String name, String text) {}

    private final Map<String, String> environment;
    private final Map<String, String> file;
    private final Set<String> known = new TreeSet<>();

    Settings(Map<String, String> environment, @Nullable Path config) {
        this.environment = environment;
        this.file = config == null ? Map.of() : read(config);
    }

    private static Map<String, String> read(Path config) {
        if (!Files.isReadable(config)) {
            throw new ConfigException("--config " + config + ": there is no such readable file");
        }
        JsonNode document;
        try {
            document = new YAMLMapper().readTree(config.toFile());
        } catch (IOException e) {
            String detail = String.valueOf(e.getMessage()).lines().findFirst().orElse("");
            throw new ConfigException("--config " + config + ": not YAML: " + detail);
        }
        Map<String, String> texts = new LinkedHashMap<>();
        if (!document.isMissingNode() && !document.isNull()) {
            if (!document.isObject()) {
                throw new ConfigException("--config " + config + ": a map of settings is accepted");
            }
            document.properties()
                    .forEach(field -> texts.put(field.getKey(), text(config, field.getKey(), field.getValue())));
        }
        return texts;
    }

    private static String text(Path config, String key, JsonNode value) {
        if (value.isArray()) {
            return StreamSupport.stream(value.spliterator(), false)
                    .map(JsonNode::asText)
                    .collect(Collectors.joining(","));
        }
        if (value.isNull() || value.isObject()) {
            throw new ConfigException(config + ": " + key + " is not a value; text, a number or a list is accepted");
        }
        return value.asText();
    }

    private @Nullable Value find(String key, String... prefixes) {
        known.add(key);
        for (String prefix : prefixes) {
            String name = prefix + key.toUpperCase(Locale.ROOT);
            String text = environment.get(name);
            if (text != null && !text.isEmpty()) {
                return new Value(name, text);
            }
        }
        String text = file.get(key);
        return text == null ? null : new Value(key, text);
    }

    boolean has(String key) {
        return find(key, PREFIXES) != null;
    }

    <T> T get(String key, T otherwise, String accepted, Function<String, @Nullable T> parse) {
        return given(key, accepted, parse).orElse(otherwise);
    }

    /** Empty where the setting was not made. */
    <T> Optional<T> given(String key, String accepted, Function<String, @Nullable T> parse) {
        Value value = find(key, PREFIXES);
        if (value == null) {
            return Optional.empty();
        }
        T parsed;
        try {
            parsed = parse.apply(value.text().strip());
        } catch (IllegalArgumentException e) {
            parsed = null;
        }
        if (parsed == null) {
            throw new ConfigException(value.name() + "=" + value.text() + ": " + accepted + " is accepted");
        }
        return Optional.of(parsed);
    }

    Duration duration(String key, Duration otherwise, Duration least, Duration most) {
        String accepted =
                "a duration from " + Durations.text(least) + " to " + Durations.text(most) + " (30, 30s, 500ms, 2m)";
        return get(
                key,
                otherwise,
                accepted,
                text -> Durations.parse(text)
                        .filter(value -> value.compareTo(least) >= 0 && value.compareTo(most) <= 0)
                        .orElse(null));
    }

    <E extends Enum<E>> E word(String key, E otherwise, List<E> words) {
        return word(key, words).orElse(otherwise);
    }

    /** Empty where the setting was not made. */
    <E extends Enum<E>> Optional<E> word(String key, List<E> words) {
        String accepted = words.stream().map(WireText::word).collect(Collectors.joining(" or "));
        return given(
                key,
                accepted,
                text -> words.stream()
                        .filter(word -> word.name().equalsIgnoreCase(text))
                        .findFirst()
                        .orElse(null));
    }

    /** A key of the file that nothing asked for is a mistake. */
    void refuseUnknown() {
        for (String key : file.keySet()) {
            if (!known.contains(key)) {
                throw new ConfigException(
                        "configuration key '" + key + "' is not known; accepted are " + String.join(", ", known));
            }
        }
    }
}
