package org.klangk.health.transport.check;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import org.klangk.health.probe.ProbeRequest;
import org.klangk.health.random.Unguessable;

/**
 * One run of a check under the script that keeps its deadline beside it and ends it when standard input ends, so that neither a
 * timeout, nor a cancelled run, nor the death of this process leaves anything behind.
 */
public final class CheckScript {
    /** How long after the check's own deadline the script may take to tell. */
    public static final Duration PATIENCE = Duration.ofSeconds(8);

    private final String script = Script.withSweep(CheckScript.class, "check.sh");

    /** Reads the script, which blocks. */
    public CheckScript() {}

    /** What to run; its standard error ends with a line that {@link CheckOutput} of the same nonce reads. */
    public List<String> command(ProbeRequest request, String nonce) {
        return List.of(
                "bash",
                "-c",
                script,
                "klangk-check",
                seconds(request.timeout()),
                nonce,
                Unguessable.hex(16),
                request.check().command());
    }

    private static String seconds(Duration timeout) {
        long ms = timeout.toMillis();
        return String.format(Locale.ROOT, "%d.%03d", ms / 1000, ms % 1000);
    }
}
