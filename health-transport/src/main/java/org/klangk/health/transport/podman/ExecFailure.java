package org.klangk.health.transport.podman;

import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.klangk.health.policy.OutputTail;
import org.klangk.health.probe.ProbeRequest;
import org.klangk.health.probe.ProbeResult;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads why an exec never came to run its check. What the container lacks (bash, the user, the directory) speaks of the
 * service; everything else only of the attempt.
 */
final class ExecFailure {
    private static final Logger log = LoggerFactory.getLogger(ExecFailure.class);

    private ExecFailure() {}

    /** What became of a run that this failure ended. */
    static ProbeResult of(Throwable error, ProbeRequest request) {
        if (error instanceof PodmanException refusal) {
            return refused(refusal, request);
        }
        log.debug("an exec in container {} got no answer", request.containerId(), error);
        return new ProbeResult.NoResult("Podman does not answer: " + error, true);
    }

    /** Podman refused to create or to start the exec. */
    private static ProbeResult refused(PodmanException error, ProbeRequest request) {
        String lacking = lacking(error, request);
        return lacking == null
                ? new ProbeResult.NoResult("Podman refused (" + error.status() + "): " + error.getMessage())
                : ProbeResult.Completed.couldNotRun(lacking);
    }

    /** What the container lacks that made Podman refuse; null where that was not why. */
    static @Nullable String lacking(PodmanException error, ProbeRequest request) {
        String message = String.valueOf(error.getMessage());
        return message.contains("no matching entries in passwd file")
                        || message.contains("no matching entries in group file")
                ? "unknown user '" + request.user() + "'"
                : null;
    }

    /** The exec ended and the script around the check said nothing. */
    static ProbeResult ended(int exitCode, OutputTail output, ProbeRequest request) {
        String lacking = lacking(exitCode, output, request);
        return lacking == null
                ? new ProbeResult.NoResult("the check's exit was lost (exec ended with " + exitCode + ")")
                : ProbeResult.Completed.couldNotRun(lacking);
    }

    /** What the container lacks, so that the exec never began; null where that was not why. */
    static @Nullable String lacking(int exitCode, OutputTail output, ProbeRequest request) {
        String text = new String(output.bytes(), StandardCharsets.UTF_8);
        boolean byRuntime =
                text.contains("Error: ") && text.toLowerCase(Locale.ROOT).contains("oci ");
        return byRuntime && (exitCode == 126 || exitCode == 127) ? reason(text, request) : null;
    }

    private static String reason(String text, ProbeRequest request) {
        if (text.contains("chdir to cwd")) {
            return "working directory '" + request.workdir() + "' cannot be entered";
        }
        if (text.contains("executable file not found")
                || text.contains("no such file or directory")
                || text.contains("permission denied")) {
            return "no executable bash in the container's PATH";
        }
        int from = text.indexOf("Error: ") + "Error: ".length();
        int to = text.indexOf('\n', from);
        return text.substring(from, to < 0 ? text.length() : to);
    }
}
