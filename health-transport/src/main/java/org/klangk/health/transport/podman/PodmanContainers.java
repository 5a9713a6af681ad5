package org.klangk.health.transport.podman;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Containers that this program makes itself, and its images. Nothing of anybody else's is touched: what is removed is found by a
 * label. May be used on any thread; errors are those of {@link PodmanRuntime}.
 */
public final class PodmanContainers {
    /**
     * A container to make. It has no network.
     *
     * @param name its name
     * @param image its image
     * @param command what runs in it
     * @param labels its labels
     */
    public record Spec(String name, String image, List<String> command, Map<String, String> labels) {}

    private final PodmanClient client;

    PodmanContainers(PodmanClient client) {
        this.client = client;
    }

    /** Whether there is such an image. */
    public Mono<Boolean> hasImage(String reference) {
        return client.find("/images/" + PodmanClient.encode(reference) + "/json")
                .hasElement();
    }

    /**
     * Makes an image of a file system.
     *
     * @param tar the file system
     * @param changes instructions such as {@code ENV PATH=/bin}
     */
    public Mono<Void> importImage(String reference, byte[] tar, List<String> changes) {
        StringBuilder path = new StringBuilder("/images/import?reference=").append(PodmanClient.encode(reference));
        changes.forEach(change -> path.append("&changes=").append(PodmanClient.encode(change)));
        return client.postBytes(path.toString(), "application/x-tar", tar).then();
    }

    /** Makes and starts a container. */
    public Mono<Void> run(Spec spec) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("name", spec.name());
        document.put("image", spec.image());
        document.put("command", spec.command());
        document.put("labels", spec.labels());
        document.put("netns", Map.of("nsmode", "none"));
        return client.post("/containers/create", document).then(start(spec.name()));
    }

    /** Starts a container; does nothing where it runs. */
    public Mono<Void> start(String name) {
        return client.post("/containers/" + PodmanClient.encode(name) + "/start", Map.of())
                .then();
    }

    /** Removes every container that has this label, running or not. */
    public Mono<Void> removeLabelled(String label) {
        return client.get("/containers/json?all=true&filters=" + PodmanClient.query(Map.of("label", List.of(label))))
                .flatMapMany(Flux::fromIterable)
                .map(container -> container.path("Id").asText())
                .concatMap(id -> client.delete("/containers/" + PodmanClient.encode(id) + "?force=true&timeout=0"))
                .then();
    }
}
