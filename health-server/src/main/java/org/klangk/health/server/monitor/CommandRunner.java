package org.klangk.health.server.monitor;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Runs a command for an event, which it gets on its standard input and in its environment. What it prints goes where this process
 * prints. Its failure is told and stops nothing.
 */
public final class CommandRunner implements Outbox.Runner {
    private static final Duration FIRST_RETRY = Duration.ofSeconds(1);
    private static final int LONGEST_DOUBLING = 5;
    private static final List<Path> SETSID = List.of(Path.of("/usr/bin/setsid"), Path.of("/bin/setsid"));

    private final List<String> command;
    private final Duration timeout;
    private final int retries;
    private final Consumer<String> notices;
    private final boolean ownGroup;

    /**
     * Runs {@code command}.
     *
     * @param timeout after which it is killed with all that it started
     * @param retries how often one that fails is run again
     * @param notices told what went wrong; on any thread
     */
    public CommandRunner(List<String> command, Duration timeout, int retries, Consumer<String> notices) {
        List<String> words = new ArrayList<>();
        SETSID.stream().filter(Files::isExecutable).findFirst().ifPresent(setsid -> words.add(setsid.toString()));
        ownGroup = !words.isEmpty();
        words.addAll(command);
        this.command = List.copyOf(words);
        this.timeout = timeout;
        this.retries = retries;
        this.notices = notices;
    }

    @Override
    public void run(Event event, boolean missed) throws InterruptedException {
        for (int attempt = 0; ; attempt++) {
            String failure = attempt(event, missed);
            if (failure == null) {
                return;
            }
            boolean again = attempt < retries;
            notices.accept(
                    "the command " + failure + " (event " + event.id() + ")" + (again ? "; it is run again" : ""));
            if (!again) {
                return;
            }
            TimeUnit.MILLISECONDS.sleep(FIRST_RETRY.toMillis() << Math.min(attempt, LONGEST_DOUBLING));
        }
    }

    /** What went wrong; null when nothing did. */
    private @Nullable String attempt(Event event, boolean missed) throws InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectOutput(ProcessBuilder.Redirect.INHERIT)
                .redirectError(ProcessBuilder.Redirect.INHERIT);
        environment(builder.environment(), event, missed);
        Process process;
        try {
            process = builder.start();
        } catch (IOException e) {
            return "could not be run: " + e.getMessage();
        }
        try {
            feed(process, event);
            if (!process.waitFor(timeout.toMillis(), TimeUnit.MILLISECONDS)) {
                kill(process);
                return "did not end within " + timeout.toMillis() / 1000.0 + " s and was killed";
            }
        } catch (InterruptedException e) {
            kill(process);
            throw e;
        }
        int code = process.exitValue();
        // setsid says so of a command that is not there.
        return code == 0 ? null : ownGroup && code == 127 ? "exited 127: is it there?" : "exited " + code;
    }

    /** A frame is smaller than a pipe, so that this never waits for the command to read. */
    private static void feed(Process process, Event event) {
        try (OutputStream in = process.getOutputStream()) {
            in.write((event.text() + "\n").getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            // A command need not read its input.
            System.getLogger("klangk").log(System.Logger.Level.DEBUG, "standard input was not read", e);
        }
    }

    /** With everything in its process group, and whatever left that and is still its descendant. */
    private void kill(Process process) throws InterruptedException {
        List<ProcessHandle> descendants;
        try (Stream<ProcessHandle> all = process.descendants()) {
            descendants = all.toList();
        }
        if (ownGroup) {
            try {
                new ProcessBuilder("sh", "-c", "kill -KILL -- -\"$0\"", Long.toString(process.pid()))
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .redirectError(ProcessBuilder.Redirect.DISCARD)
                        .start()
                        .waitFor();
            } catch (IOException e) {
                notices.accept("the command's process group could not be killed: " + e.getMessage());
            }
        }
        descendants.forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly().waitFor();
    }

    private static void environment(Map<String, String> environment, Event event, boolean missed) {
        JsonNode frame = event.frame();
        environment.put("KLANGK_EVENT", event.text());
        environment.put("KLANGK_EVENT_TYPE", event.type());
        environment.put("KLANGK_EVENT_ID", event.id());
        environment.put("KLANGK_HEALTH_MISSED", missed ? "true" : "");
        put(environment, "KLANGK_WORKSPACE_ID", frame.path("workspace_id"));
        put(environment, "KLANGK_WORKSPACE_NAME", frame.path("name"));
        if (event.is("service_health")) {
            put(environment, "KLANGK_HEALTHY", frame.path("healthy"));
            put(environment, "KLANGK_RUNNING", frame.path("running"));
            put(environment, "KLANGK_HEALTH_MESSAGE", frame.path("health_message"));
            put(environment, "KLANGK_HEALTH_CHECKED_AT", frame.path("health_checked_at"));
            put(environment, "KLANGK_HEALTH_SEQ", frame.path("seq"));
            put(environment, "KLANGK_HEALTH_STATE", frame.path("state"));
        }
    }

    /** A missing value is an empty one, so that a script need not tell unset from empty. */
    private static void put(Map<String, String> environment, String name, JsonNode value) {
        environment.put(
                name,
                value.isNull() || value.isMissingNode() ? "" : value.asText().replace("\0", ""));
    }
}
