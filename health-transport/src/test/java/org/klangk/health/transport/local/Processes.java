package org.klangk.health.transport.local;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Processes of this machine, as a test looks at them. */
public final class Processes {
    private Processes() {}

    /** The command lines of the processes whose environment has a variable that begins like this. */
    public static List<String> with(String beginning) {
        try (Stream<Path> all = Files.list(Path.of("/proc"))) {
            return all.filter(process -> process.getFileName().toString().matches("[0-9]+"))
                    .filter(process -> ("\0" + read(process.resolve("environ"))).contains("\0" + beginning))
                    .map(process -> read(process.resolve("cmdline")).replace('\0', ' '))
                    .filter(line -> !line.isEmpty())
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Empty where the process is gone or somebody else's. */
    private static String read(Path file) {
        try {
            return Files.readString(file, StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            return "";
        }
    }

    /** Runs a shell command and waits for its end; fails when it fails. */
    static void run(Map<String, String> environment, String shell) {
        ProcessBuilder builder = new ProcessBuilder("bash", "-c", shell).inheritIO();
        builder.environment().putAll(environment);
        try {
            int code = builder.start().waitFor();
            if (code != 0) {
                throw new IllegalStateException(shell + " ended with " + code);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
