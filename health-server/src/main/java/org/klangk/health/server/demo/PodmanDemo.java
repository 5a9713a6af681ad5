package org.klangk.health.server.demo;

import java.util.List;
import java.util.Map;
import org.klangk.health.transport.podman.PodmanContainers;
import org.klangk.health.workspace.WorkspaceDraft;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** The demo's services in containers, of an image made of this machine's bash. */
final class PodmanDemo implements DemoHost {
    private static final String IMAGE = "localhost/klangk-demo:latest";
    private static final String LABEL = "klangk.demo";

    private final PodmanContainers containers;

    PodmanDemo(PodmanContainers containers) {
        this.containers = containers;
    }

    @Override
    public Mono<Void> prepare() {
        Mono<Void> image = Mono.fromCallable(DemoImage::tar)
                .subscribeOn(Schedulers.boundedElastic())
                .flatMap(tar -> containers.importImage(IMAGE, tar, List.of("ENV PATH=/bin", "ENV HOME=/root")));
        // A demo that was killed could not remove its containers.
        return containers
                .removeLabelled(LABEL)
                .then(containers.hasImage(IMAGE))
                .flatMap(there -> there ? Mono.empty() : image);
    }

    private static String name(DemoService service) {
        return "klangk-demo-" + service.title();
    }

    @Override
    public Mono<WorkspaceDraft> place(WorkspaceDraft draft, DemoService service) {
        PodmanContainers.Spec spec = new PodmanContainers.Spec(
                name(service), IMAGE, List.of("bash", "-c", service.command()), Map.of(LABEL, "true"));
        return containers.run(spec).thenReturn(draft.container(name(service)));
    }

    @Override
    public Mono<Void> revive(DemoService service) {
        return containers.start(name(service));
    }

    @Override
    public Mono<Void> close() {
        return containers.removeLabelled(LABEL);
    }
}
