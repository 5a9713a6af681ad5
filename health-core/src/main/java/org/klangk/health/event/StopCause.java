package org.klangk.health.event;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Why a container run ended.
 *
 * @param kind the class of cause
 * @param exitCode the container's exit code, null when unknown
 * @param memoryLimit the memory limit in bytes that was hit, null when there was none or it is not known
 * @param notBefore where nobody watched when it ended: when it still ran for certain; null otherwise
 * @param notAfter where nobody watched when it ended: when it did not run any more; null otherwise
 */
public record StopCause(
        Kind kind,
        @Nullable Integer exitCode,
        @Nullable Long memoryLimit,
        @Nullable Instant notBefore,
        @Nullable Instant notAfter) {
    /** The classes of cause. */
    public enum Kind {
        /** The kernel killed it for its memory. */
        OOM,
        /** It ended with an exit code. */
        EXITED,
        /** A signal ended it. */
        SIGNALLED,
        /** It was removed. */
        REMOVED,
        /** Somebody asked the runtime to stop it. */
        REQUESTED,
        /** It is not known. */
        UNKNOWN
    }

    private static final Map<Integer, String> SIGNALS = Map.of(
            1, "SIGHUP", 2, "SIGINT", 3, "SIGQUIT", 4, "SIGILL", 6, "SIGABRT", 8, "SIGFPE", 9, "SIGKILL", 11, "SIGSEGV",
            13, "SIGPIPE", 15, "SIGTERM");

    /** The cause of a run that ended with {@code exitCode}; above 128 it is a signal, as shells and Podman number them. */
    public static StopCause exited(int exitCode) {
        return new StopCause(
                exitCode > 128 && exitCode < 193 ? Kind.SIGNALLED : Kind.EXITED, exitCode, null, null, null);
    }

    /** Killed for its memory. */
    public static StopCause oom(@Nullable Integer exitCode, @Nullable Long memoryLimit) {
        return new StopCause(Kind.OOM, exitCode, memoryLimit, null, null);
    }

    /** Removed while it ran. */
    public static StopCause removed() {
        return new StopCause(Kind.REMOVED, null, null, null, null);
    }

    /** Stopped because somebody asked for it. */
    public static StopCause requested(@Nullable Integer exitCode) {
        return new StopCause(Kind.REQUESTED, exitCode, null, null, null);
    }

    /** Ended while nobody saw why. */
    public static StopCause unknown() {
        return new StopCause(Kind.UNKNOWN, null, null, null, null);
    }

    /** Ended at some time between these two, while nobody watched and in a way that nobody knows any more. */
    public static StopCause unwatched(Instant notBefore, Instant notAfter) {
        return new StopCause(Kind.UNKNOWN, null, null, notBefore, notAfter);
    }

    /** The cause in words; null for a requested stop, which needs no explanation. */
    public @Nullable String message() {
        return switch (kind) {
            case OOM ->
                "OOM-killed"
                        + (memoryLimit == null ? "" : " at " + size(memoryLimit) + " memory limit")
                        + (exitCode == null ? "" : " (exit code " + exitCode + ")");
            case EXITED -> "exited " + exitCode;
            case SIGNALLED -> "killed by " + signal(exitCode == null ? 0 : exitCode - 128);
            case REMOVED -> "removed";
            case REQUESTED -> null;
            case UNKNOWN ->
                notBefore == null || notAfter == null
                        ? "stopped, cause unknown"
                        : "stopped between " + second(notBefore) + " and " + second(notAfter) + ", cause unknown";
        };
    }

    private static Instant second(Instant instant) {
        return instant.truncatedTo(ChronoUnit.SECONDS);
    }

    private static String signal(int number) {
        return SIGNALS.getOrDefault(number, "signal " + number);
    }

    private static String size(long bytes) {
        String[] units = {"", "k", "m", "g", "t"};
        int unit = 0;
        while (unit < units.length - 1 && bytes >= 1024 && bytes % 1024 == 0) {
            bytes /= 1024;
            unit++;
        }
        return bytes + units[unit];
    }
}
