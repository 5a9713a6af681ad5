package org.klangk.health.server.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * Runs a command per frame, one after the other, beside the socket. A full queue makes the socket wait, and then the server
 * keeps what is to come; nothing piles up here and nothing is lost.
 */
final class FrameHook {
    private static final int WAITING = 1000;

    private record Job(JsonNode frame, String text) {}

    private static final Job END = new Job(Connection.JSON.nullNode(), "");

    private final List<String> command;
    private final Duration timeout;
    private final BlockingQueue<Job> queue = new ArrayBlockingQueue<>(WAITING);
    private final Thread runner = new Thread(this::run, "klangk-hook");

    FrameHook(List<String> command, Duration timeout) {
        this.command = List.copyOf(command);
        this.timeout = timeout;
        runner.setDaemon(true);
        runner.start();
    }

    void queue(JsonNode frame, String text) {
        put(new Job(frame, text));
    }

    /** Runs what is queued and ends. */
    void finish() {
        put(END);
        try {
            runner.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void put(Job job) {
        try {
            queue.put(job);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CliException(ExitCode.UNREACHABLE, "interrupted");
        }
    }

    private void run() {
        try {
            for (Job job = queue.take(); !job.equals(END); job = queue.take()) {
                run(job);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void run(Job job) throws InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectOutput(ProcessBuilder.Redirect.INHERIT)
                .redirectError(ProcessBuilder.Redirect.INHERIT);
        environment(builder.environment(), job);
        try {
            Process process = builder.start();
            try (OutputStream in = process.getOutputStream()) {
                in.write((job.text() + "\n").getBytes(StandardCharsets.UTF_8));
            } catch (IOException e) {
                // A command need not read its input.
                System.getLogger("klangk").log(System.Logger.Level.DEBUG, "standard input was not read", e);
            }
            if (!process.waitFor(timeout.toMillis(), TimeUnit.MILLISECONDS)) {
                process.descendants().forEach(ProcessHandle::destroyForcibly);
                process.destroyForcibly().waitFor();
                System.err.println("the command did not end within " + timeout.toSeconds() + " s and was killed");
            } else if (process.exitValue() != 0) {
                System.err.println("the command exited " + process.exitValue());
            }
        } catch (IOException e) {
            System.err.println("the command could not be run: " + e.getMessage());
        }
    }

    private static void environment(Map<String, String> environment, Job job) {
        JsonNode frame = job.frame();
        environment.put("KLANGK_EVENT", job.text());
        environment.put("KLANGK_EVENT_TYPE", frame.path("type").asText());
        environment.put(
                "KLANGK_EVENT_ID",
                frame.path("epoch").asText() + "." + frame.path("rev").asText());
        put(environment, "KLANGK_WORKSPACE_ID", frame.path("workspace_id"));
        if (frame.path("type").asText().equals("service_health")) {
            put(environment, "KLANGK_HEALTHY", frame.path("healthy"));
            put(environment, "KLANGK_RUNNING", frame.path("running"));
            put(environment, "KLANGK_HEALTH_MESSAGE", frame.path("health_message"));
            put(environment, "KLANGK_HEALTH_CHECKED_AT", frame.path("health_checked_at"));
            put(environment, "KLANGK_HEALTH_SEQ", frame.path("seq"));
            put(environment, "KLANGK_WORKSPACE_NAME", frame.path("name"));
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
