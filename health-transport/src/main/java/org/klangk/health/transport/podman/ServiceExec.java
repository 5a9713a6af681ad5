package org.klangk.health.transport.podman;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.klangk.health.policy.OutputTail;
import org.klangk.health.probe.ProbeRequest;
import org.klangk.health.runtime.RefusedException;
import org.klangk.health.transport.service.ServiceLog;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoSink;
import reactor.core.scheduler.Scheduler;
import reactor.netty.Connection;

/** One exec in which a service runs: its first line says whether it began, all that follows is the service's own. */
final class ServiceExec {
    private static final int STDERR = 2;
    private static final Logger log = LoggerFactory.getLogger(ServiceExec.class);

    /** What the first line may say. */
    private enum Word {
        STARTED,
        RUNNING
    }

    private final Execs execs;
    private final String id;
    private final ProbeRequest request;
    private final MonoSink<Boolean> begun;
    private final ServiceLog kept;
    private final Clock clock = Clock.systemUTC();
    private final ByteArrayOutputStream firstLine = new ByteArrayOutputStream();
    private final OutputTail trouble = new OutputTail();
    private @Nullable Word word;

    private ServiceExec(Execs execs, String id, ProbeRequest request, MonoSink<Boolean> begun, ServiceLog kept) {
        this.execs = execs;
        this.id = id;
        this.request = request;
        this.begun = begun;
        this.kept = kept;
    }

    /**
     * Starts a service.
     *
     * @param command the script around it
     * @param kept gets what it prints
     * @param blocking where that is written
     * @return whether it was started; false when it ran
     */
    static Mono<Boolean> start(
            Execs execs, ProbeRequest request, List<String> command, ServiceLog kept, Scheduler blocking) {
        return execs.attach(
                request,
                command,
                (id, connection) -> Mono.create(
                        begun -> new ServiceExec(execs, id, request, begun, kept).follow(connection, blocking)));
    }

    /** Its end is that of the service, or of the connection: whoever has waited has long been answered. */
    private void follow(Connection connection, Scheduler blocking) {
        StreamDecoder decoder = new StreamDecoder(this::printed);
        connection
                .inbound()
                .receive()
                .asByteArray()
                .publishOn(blocking)
                .doOnNext(decoder::decode)
                .onErrorResume(error -> {
                    log.debug("the output of a service broke: {}", error.toString());
                    return Mono.empty();
                })
                .then(Mono.defer(() -> execs.ended(id)))
                .publishOn(blocking)
                .doFinally(end -> connection.dispose())
                .subscribe(this::ended, this::lost);
    }

    private void printed(int stream, byte[] bytes, int offset, int length) {
        if (word != null) {
            kept.write(bytes, offset, length);
        } else if (stream == STDERR) {
            trouble.append(bytes, offset, length);
        } else {
            begin(bytes, offset, length);
        }
    }

    private void begin(byte[] bytes, int offset, int length) {
        int end = offset;
        while (end < offset + length && bytes[end] != '\n') {
            end++;
        }
        firstLine.write(bytes, offset, end - offset);
        if (end == offset + length) {
            return;
        }
        boolean started = firstLine.toString(StandardCharsets.UTF_8).equals("started");
        word = started ? Word.STARTED : Word.RUNNING;
        if (started) {
            note("started");
            kept.write(bytes, end + 1, offset + length - end - 1);
        }
        begun.success(started);
    }

    private void note(String what) {
        kept.note(what + " " + clock.instant().truncatedTo(ChronoUnit.SECONDS));
    }

    private void ended(Execs.Ended end) {
        if (word == Word.STARTED) {
            note(end.known() ? "ended with exit code " + end.exitCode() : "is no longer heard");
        } else if (word == null) {
            String lacking = end.known() ? ExecFailure.lacking(end.exitCode(), trouble, request) : null;
            begun.error(
                    lacking == null
                            ? new IOException("the exec of the service said nothing")
                            : new RefusedException(lacking));
        }
        execs.forget(id).subscribe();
    }

    private void lost(Throwable error) {
        log.debug("how a service ended is not known: {}", error.toString());
        if (word == Word.STARTED) {
            note("is no longer heard");
        }
        begun.error(error);
    }
}
