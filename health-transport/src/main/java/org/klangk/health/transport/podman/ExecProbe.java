package org.klangk.health.transport.podman;

import com.fasterxml.jackson.databind.JsonNode;
import io.netty.buffer.ByteBuf;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.klangk.health.probe.Probe;
import org.klangk.health.probe.ProbeRequest;
import org.klangk.health.probe.ProbeResult;
import org.klangk.health.random.Unguessable;
import org.klangk.health.transport.check.CheckOutput;
import org.klangk.health.transport.check.CheckScript;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * One exec per check, by container id. The check runs under a small script that keeps its deadline inside the container and ends
 * it when our side of standard input closes, so that neither a timeout, nor a cancelled run, nor the death of this process
 * leaves anything behind. A verdict comes only from the script's last line: an exec that ends without it says nothing.
 */
final class ExecProbe implements Probe {
    private static final Logger log = LoggerFactory.getLogger(ExecProbe.class);
    private static final int STDERR = 2;

    private final CheckScript script = new CheckScript();
    private final PodmanClient client;

    ExecProbe(PodmanClient client) {
        this.client = client;
    }

    @Override
    public Mono<ProbeResult> run(ProbeRequest request) {
        return Mono.defer(() -> {
                    String nonce = Unguessable.hex(16);
                    return client.post("/containers/" + request.containerId() + "/exec", exec(request, nonce))
                            .map(json -> json.path("Id").asText())
                            .flatMap(id -> start(id, nonce, request)
                                    .flatMap(result -> client.forget(id).thenReturn(result)));
                })
                .onErrorResume(PodmanException.class, error -> Mono.just(ExecFailure.refused(error, request)))
                .onErrorResume(error -> {
                    log.debug("an exec in container {} got no answer", request.containerId(), error);
                    return Mono.just(new ProbeResult.NoResult("Podman does not answer: " + error, true));
                });
    }

    private Map<String, Object> exec(ProbeRequest request, String nonce) {
        Map<String, Object> exec = new LinkedHashMap<>();
        exec.put("AttachStdin", true);
        exec.put("AttachStdout", true);
        exec.put("AttachStderr", true);
        exec.put("Tty", false);
        exec.put("Cmd", script.command(request, nonce));
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

    private Mono<ProbeResult> start(String execId, String nonce, ProbeRequest request) {
        CheckOutput output = new CheckOutput(nonce);
        Map<String, Object> start = Map.of("Detach", false, "Tty", false);
        return client.attach("/exec/" + execId + "/start", start, (response, connection) -> {
                    if (response.status().code() >= 300) {
                        return PodmanClient.<ProbeResult>refused(
                                        response,
                                        connection
                                                .inbound()
                                                .receive()
                                                .aggregate()
                                                .asString())
                                .doFinally(end -> connection.dispose());
                    }
                    return read(connection.inbound().receive(), output)
                            // Closing our side ends standard input, and with it whatever still runs.
                            .doFinally(end -> connection.dispose());
                })
                .next()
                .timeout(
                        request.timeout().plus(CheckScript.PATIENCE),
                        Mono.just(new ProbeResult.NoResult("the exec did not end")))
                .switchIfEmpty(Mono.defer(() -> unexplained(execId, output, request)));
    }

    /** Drains the streams until the script tells how the check ended; empty when it never does. */
    private static Mono<ProbeResult> read(Flux<ByteBuf> received, CheckOutput output) {
        StreamDecoder decoder = new StreamDecoder((stream, bytes, offset, length) -> {
            if (stream == STDERR) {
                output.stderr(bytes, offset, length);
            } else {
                output.stdout(bytes, offset, length);
            }
        });
        return received.doOnNext(decoder::decode)
                .takeUntil(buffer -> output.ending() != null)
                .then(Mono.defer(() -> Mono.justOrEmpty(output.verdict())));
    }

    /** No last line: the exec never ran, or something killed the script, or the container is gone. */
    private Mono<ProbeResult> unexplained(String execId, CheckOutput output, ProbeRequest request) {
        return client.get("/exec/" + execId + "/json")
                .map((JsonNode exec) -> exec.path("Running").asBoolean()
                                || !exec.path("CanRemove").asBoolean()
                        ? new ProbeResult.NoResult("the exec was lost")
                        : ExecFailure.ended(exec.path("ExitCode").asInt(), output.tail(), request));
    }
}
