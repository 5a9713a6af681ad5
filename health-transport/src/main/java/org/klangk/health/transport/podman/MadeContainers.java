package org.klangk.health.transport.podman;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.klangk.health.runtime.RefusedException;
import org.klangk.health.transport.check.Script;
import org.klangk.health.workspace.Workspace;
import reactor.core.publisher.Mono;

/**
 * The containers that are made for workspaces with an image, one each, known by a label with the workspace's id. A volume of the
 * owner's is the workspace's home; it stays when the container goes. What is not labelled so is never touched.
 */
final class MadeContainers {
    private static final String WORKSPACE = "klangk.workspace-id";
    private static final String MADE_AS = "klangk.made-as";
    private static final String OWNER = "klangk.owner";
    private static final Duration PULL = Duration.ofMinutes(15);
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    /** How long a container may take to end when it is told to, before it is ended. */
    private static final int STOP_SECONDS = 5;

    private static final String IDLE = Script.read(MadeContainers.class, "idle.sh");

    private final PodmanClient client;

    MadeContainers(PodmanClient client) {
        this.client = client;
    }

    /** Has the workspace's container run, as the workspace is now. */
    Mono<Void> start(Workspace workspace) {
        String name = name(workspace);
        return found(workspace)
                .flatMap(container -> madeAs(workspace).equals(label(container, MADE_AS))
                        ? Mono.just(container)
                        : delete(name).then(Mono.empty()))
                .switchIfEmpty(Mono.defer(() -> create(workspace)))
                .then(client.post("/containers/" + PodmanClient.encode(name) + "/start", Map.of()))
                .timeout(PULL.plus(PATIENCE))
                .onErrorMap(
                        PodmanException.class,
                        error -> new RefusedException(
                                "container '" + name + "' cannot be started: " + error.getMessage()))
                .then();
    }

    /** Removes the workspace's container, where there is one. */
    Mono<Void> remove(Workspace workspace) {
        String name = name(workspace);
        return client.find("/containers/" + PodmanClient.encode(name) + "/json")
                .filter(container -> isOf(workspace, container))
                .flatMap(container -> delete(name))
                .onErrorMap(error -> new RefusedException(
                        "the container '" + name + "' could not be removed: " + error.getMessage()));
    }

    private static String name(Workspace workspace) {
        return Objects.requireNonNull(workspace.container());
    }

    /** All that a container keeps for its life: another one is made when any of it changes. */
    private static String madeAs(Workspace workspace) {
        Object[] all = {
            workspace.image(),
            workspace.user(),
            workspace.home(),
            workspace.workdir(),
            workspace.serviceCommand() == null
        };
        return Integer.toHexString(Arrays.hashCode(all));
    }

    private static String label(JsonNode container, String label) {
        return container.path("Config").path("Labels").path(label).asText();
    }

    /** The workspace's container; empty where there is none, fails where one of that name is somebody else's. */
    private Mono<JsonNode> found(Workspace workspace) {
        return client.find("/containers/" + PodmanClient.encode(name(workspace)) + "/json")
                .doOnNext(container -> {
                    if (!isOf(workspace, container)) {
                        throw new RefusedException(
                                "a container '" + name(workspace) + "' is there that was not made for this"
                                        + " workspace; rename or remove it, or choose another name for the workspace");
                    }
                });
    }

    private static boolean isOf(Workspace workspace, JsonNode container) {
        return label(container, WORKSPACE).equals(workspace.id().value());
    }

    private Mono<Void> delete(String name) {
        return client.delete("/containers/" + PodmanClient.encode(name) + "?force=true&v=true&timeout=" + STOP_SECONDS);
    }

    private Mono<JsonNode> create(Workspace workspace) {
        return image(Objects.requireNonNull(workspace.image()))
                .then(home(workspace))
                .then(Mono.defer(() -> client.post("/containers/create", document(workspace))));
    }

    private Mono<Void> image(String reference) {
        return client.find("/images/" + PodmanClient.encode(reference) + "/json")
                .hasElement()
                .flatMap(there -> there ? Mono.empty() : pull(reference));
    }

    private Mono<Void> pull(String reference) {
        return client.postLong("/images/pull?quiet=true&reference=" + PodmanClient.encode(reference))
                .timeout(PULL)
                .doOnNext(line -> {
                    if (line.hasNonNull("error")) {
                        throw new PodmanException(404, line.path("error").asText());
                    }
                })
                .onErrorMap(
                        PodmanException.class,
                        error -> new RefusedException("image '" + reference + "' cannot be had: " + error.getMessage()))
                .then();
    }

    private static String volume(Workspace workspace) {
        return name(workspace) + "-home";
    }

    private Mono<Void> home(Workspace workspace) {
        String volume = volume(workspace);
        return client.find("/volumes/" + PodmanClient.encode(volume) + "/json")
                .doOnNext(known -> {
                    if (!known.path("Labels").path(OWNER).asText().equals(workspace.owner())) {
                        throw new RefusedException("volume '" + volume + "' is there that is not of this owner;"
                                + " rename or remove it, or choose another name for the workspace");
                    }
                })
                .switchIfEmpty(Mono.defer(() -> client.post(
                        "/volumes/create", Map.of("Name", volume, "Label", Map.of(OWNER, workspace.owner())))))
                .then();
    }

    private static Map<String, Object> document(Workspace workspace) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("name", name(workspace));
        document.put("image", workspace.image());
        if (workspace.serviceCommand() != null) {
            document.put("entrypoint", List.of("bash", "-c", IDLE));
            document.put("command", List.of());
        }
        if (workspace.user() != null) {
            document.put("user", workspace.user());
        }
        if (workspace.workdir() != null) {
            document.put("work_dir", workspace.workdir());
        }
        String home = Objects.requireNonNull(workspace.home());
        document.put("env", Map.of("HOME", home));
        document.put("labels", Map.of(WORKSPACE, workspace.id().value(), MADE_AS, madeAs(workspace)));
        document.put("volumes", List.of(Map.of("Name", volume(workspace), "Dest", home, "Options", List.of("U"))));
        return document;
    }
}
