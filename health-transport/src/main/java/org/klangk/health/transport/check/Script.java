package org.klangk.health.transport.check;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.stream.Collectors;

/** The shell scripts that run around what users wrote, as {@code bash -c} takes them. */
public final class Script {
    private Script() {}

    /**
     * Reads a script that lies beside a class.
     *
     * @throws IllegalStateException when it is not part of this build
     */
    public static String read(Class<?> beside, String name) {
        try (InputStream in = beside.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException(name + " is missing");
            }
            return bare(new String(in.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Without what only its reader needs: comments and indentation. */
    private static String bare(String script) {
        return script.lines()
                .map(String::strip)
                .filter(line -> !line.isEmpty() && !line.startsWith("#"))
                .collect(Collectors.joining("\n", "", "\n"));
    }

    /** A script with {@code sweep}, which ends marked processes, before it. */
    public static String withSweep(Class<?> beside, String name) {
        return read(Script.class, "sweep.sh") + read(beside, name);
    }
}
