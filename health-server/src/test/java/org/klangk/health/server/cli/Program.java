package org.klangk.health.server.cli;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/** One of the launchers, run as a process of its own, as a user would. */
public final class Program implements AutoCloseable {
    private static final Path TARGET =
            Path.of(System.getProperty("klangk.target", "target")).toAbsolutePath();

    private final Process process;
    private final BlockingQueue<String> out = new LinkedBlockingQueue<>();
    private final BlockingQueue<String> err = new LinkedBlockingQueue<>();
    private final List<CompletableFuture<Void>> readers;

    private Program(Process process) {
        this.process = process;
        readers = List.of(read(process.getInputStream(), out), read(process.getErrorStream(), err));
    }

    public static Program start(Map<String, String> environment, String launcher, String... arguments) {
        List<String> words =
                new ArrayList<>(List.of("sh", TARGET.resolve(launcher).toString()));
        words.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(words);
        builder.environment().keySet().removeIf(name -> name.startsWith("KLANGK"));
        builder.environment().putAll(environment);
        try {
            return new Program(builder.start());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Gives it a line on its standard input, and then nothing more. */
    Program say(String line) {
        try (OutputStream in = process.getOutputStream()) {
            in.write((line + "\n").getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return this;
    }

    private static CompletableFuture<Void> read(InputStream stream, BlockingQueue<String> lines) {
        return CompletableFuture.runAsync(
                () -> {
                    try (BufferedReader reader =
                            new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8))) {
                        for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                            lines.add(line);
                        }
                    } catch (IOException e) {
                        lines.add("(" + e.getMessage() + ")");
                    }
                },
                command -> new Thread(command, "reader").start());
    }

    /** The next line on standard output that fits; what comes before it is passed over. */
    public String out(Predicate<String> fits) {
        return await(out, fits, "standard output");
    }

    /** The next line on standard error that fits. */
    public String err(Predicate<String> fits) {
        return await(err, fits, "standard error");
    }

    private static String await(BlockingQueue<String> lines, Predicate<String> fits, String what) {
        List<String> passed = new ArrayList<>();
        try {
            while (true) {
                String line = lines.poll(40, TimeUnit.SECONDS);
                if (line == null) {
                    throw new AssertionError("nothing fitting came on " + what + "; there was " + passed);
                }
                if (fits.test(line)) {
                    return line;
                }
                passed.add(line);
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Sends a signal such as {@code STOP}. */
    void signal(String name) {
        try {
            int code = new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                    .start()
                    .waitFor();
            if (code != 0) {
                throw new IllegalStateException("kill ended with " + code);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Asks it to end. */
    public void terminate() {
        process.destroy();
    }

    /** Waits for its end and gives back its exit code. */
    public int exitCode() {
        try {
            if (!process.waitFor(40, TimeUnit.SECONDS)) {
                throw new AssertionError("it did not end");
            }
            readers.forEach(CompletableFuture::join);
            return process.exitValue();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Everything left on standard output, once it ended. */
    public String output() {
        return String.join("\n", out);
    }

    /** Everything left on standard error, once it ended. */
    public String errors() {
        return String.join("\n", err);
    }

    @Override
    public void close() {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
    }
}
