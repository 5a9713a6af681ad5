package org.klangk.health.transport.podman;

import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import org.klangk.health.probe.ProbeRequest;
import org.klangk.health.transport.check.CheckOutput;
import org.reactivestreams.Publisher;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Mono;
import reactor.netty.Connection;

/** Execs in containers, attached to. */
final class Execs {
    private static final int STDERR = 2;
    private static final Duration ANSWER = Duration.ofSeconds(20);
    private static final Map<String, Object> ATTACHED = Map.of("Detach", false, "Tty", false);

    private final PodmanClient client;

    Execs(PodmanClient client) {
        this.client = client;
    }

    /**
     * Runs {@code command} where, and as whom, the check of {@code request} would run, and hands over id and connection; the
     * connection is the caller's to close. When the subscription is cancelled the connection is closed as soon as there is
     * one: Podman keeps an exec for ever that was created and not started.
     */
    <T> Mono<T> attach(
            ProbeRequest request, List<String> command, BiFunction<String, Connection, Publisher<T>> attached) {
        return Mono.create(sink -> {
            Disposable.Swap connected = Disposables.swap();
            sink.onCancel(connected);
            client.post("/containers/" + request.containerId() + "/exec", document(request, command))
                    .map(json -> json.path("Id").asText())
                    .flatMap(id -> start(id, connected, attached))
                    .subscribe(
                            sink::success,
                            error -> {
                                // Nobody is left to hear that a connection broke which was closed for them.
                                if (!connected.isDisposed()) {
                                    sink.error(error);
                                }
                            },
                            sink::success);
        });
    }

    private static Map<String, Object> document(ProbeRequest request, List<String> command) {
        Map<String, Object> exec = new LinkedHashMap<>();
        exec.put("AttachStdin", true);
        exec.put("AttachStdout", true);
        exec.put("AttachStderr", true);
        exec.put("Tty", false);
        exec.put("Cmd", command);
        if (request.user() != null) {
            exec.put("User", request.user());
        }
        if (request.workdir() != null) {
            exec.put("WorkingDir", request.workdir());
        }
        if (request.home() != null) {
            exec.put("Env", List.of("HOME=" + request.home()));
        }
        return exec;
    }

    private <T> Mono<T> start(
            String id, Disposable.Swap connected, BiFunction<String, Connection, Publisher<T>> attached) {
        Mono<Object> silence = Mono.delay(ANSWER)
                .flatMap(tick -> connected.get() == null
                        ? Mono.error(new IOException("no answer to the start of an exec"))
                        : Mono.never());
        return client.<T>attach("/exec/" + id + "/start", ATTACHED, (response, connection) -> {
                    if (!connected.update(connection)) {
                        return Mono.empty();
                    }
                    if (response.status().code() < 300) {
                        return attached.apply(id, connection);
                    }
                    return PodmanClient.<T>refused(
                                    response,
                                    connection.inbound().receive().aggregate().asString())
                            .doFinally(end -> connection.dispose());
                })
                .next()
                .timeout(silence);
    }

    /** Podman need not keep an exec that ended. */
    Mono<Void> forget(String id) {
        return client.forget(id);
    }

    /** What an exec came to; fails when Podman does not know. */
    Mono<Ended> ended(String id) {
        return client.get("/exec/" + id + "/json")
                .map(exec -> new Ended(
                        !exec.path("Running").asBoolean()
                                && exec.path("CanRemove").asBoolean(),
                        exec.path("ExitCode").asInt()));
    }

    /**
     * An exec that ended, or that is lost.
     *
     * @param known whether it really ended with that code; one that never ran, or still does, has one too
     */
    record Ended(boolean known, int exitCode) {}

    /** Hands payload of an exec to the check that it belongs to. */
    static void deliver(int stream, byte[] bytes, int offset, int length, CheckOutput to) {
        if (stream == STDERR) {
            to.stderr(bytes, offset, length);
        } else {
            to.stdout(bytes, offset, length);
        }
    }
}
