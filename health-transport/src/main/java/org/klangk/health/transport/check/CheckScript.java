package org.klangk.health.transport.check;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.klangk.health.probe.ProbeRequest;

/**
 * Checks under a script that keeps their deadline beside them and ends them when standard input ends, so that neither a timeout,
 * nor a cancelled run, nor the death of this process leaves anything behind. What the script writes is read by {@link
 * CheckOutput}.
 */
public final class CheckScript {
    /** How long after a check's own deadline the script may take to tell. */
    public static final Duration PATIENCE = Duration.ofSeconds(8);

    private static final String TAKE_SCRIPT = "IFS= read -r -d '' klangk_script; eval \"$klangk_script\"";

    private final String once = script("once.sh");
    private final String session = script("session.sh");

    /** Reads the scripts, which blocks. */
    public CheckScript() {}

    private static String script(String driver) {
        return Script.withSweep(CheckScript.class, "check.sh") + Script.read(CheckScript.class, driver);
    }

    /**
     * What to run for one check.
     *
     * @param nonce unguessable, for the script's own lines
     * @param mark unguessable, by which all that the check starts is known
     * @param lost mark of an earlier check whose end nobody saw and of which nothing should be left, null when there is none
     */
    public List<String> once(ProbeRequest request, String nonce, String mark, @Nullable String lost) {
        String command = request.check().command();
        return List.of(
                "bash",
                "-p",
                "-c",
                once,
                "klangk-check",
                seconds(request.timeout()),
                nonce,
                mark,
                command,
                lost == null ? "" : lost);
    }

    /**
     * What to run for checks one after the other. Standard input gets {@link #begin} and then each check as {@link #ask} puts it:
     * a script among the arguments would stand in the container's process list for as long as the session lives.
     */
    public List<String> session() {
        return List.of("bash", "-p", "-c", TAKE_SCRIPT, "klangk-session");
    }

    /** What a session is told first; its first line carries {@code nonce}. */
    public byte[] begin(String nonce) {
        return String.join("\0", session, nonce, "").getBytes(StandardCharsets.UTF_8);
    }

    /** Asks a session for a check; the words mean what they mean for {@link #once}. */
    public byte[] ask(ProbeRequest request, String nonce, String mark) {
        String words = String.join(
                "\0", nonce, seconds(request.timeout()), mark, request.check().command(), "");
        return words.getBytes(StandardCharsets.UTF_8);
    }

    private static String seconds(Duration timeout) {
        long ms = timeout.toMillis();
        return String.format(Locale.ROOT, "%d.%03d", ms / 1000, ms % 1000);
    }
}
