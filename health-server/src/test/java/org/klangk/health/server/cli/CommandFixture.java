package org.klangk.health.server.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** Commands as processes, with a data directory and a home of their own. */
abstract class CommandFixture {
    private static final ObjectMapper JSON = new ObjectMapper();
    static final String PASSWORD = "correct horse";

    @TempDir
    private Path directory = Path.of("");

    final Map<String, String> environment = new HashMap<>();
    private final List<Program> programs = new ArrayList<>();

    record Ran(int code, String out, String err) {}

    @BeforeEach
    void prepare() {
        environment.put("KLANGK_DATA_DIR", directory().resolve("data").toString());
        environment.put("KLANGK_RUNTIME", "local");
        environment.put("KLANGK_LISTEN", "127.0.0.1:0");
        environment.put("HOME", directory().resolve("home").toString());
        environment.put("XDG_CONFIG_HOME", "");
    }

    Path directory() {
        return directory;
    }

    /** Starts the server, which every command uses from then on. */
    Program serve() {
        Program server = start("klangkd", "serve");
        String listening = server.err(line -> line.contains("listening on"));
        environment.put("KLANGK_URL", listening.substring(listening.indexOf("http")));
        return server;
    }

    @AfterEach
    void end() {
        programs.forEach(Program::close);
    }

    Program start(String launcher, String... arguments) {
        Program program = Program.start(environment, launcher, arguments);
        programs.add(program);
        return program;
    }

    static Ran run(Program program) {
        int code = program.exitCode();
        return new Ran(code, program.output(), program.errors());
    }

    Ran klangkd(String input, String... arguments) {
        return run(start("klangkd", arguments).say(input));
    }

    Ran klangkc(String... arguments) {
        return run(start("klangkc", arguments));
    }

    static JsonNode json(String text) {
        try {
            return JSON.readTree(text);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(text, e);
        }
    }
}
