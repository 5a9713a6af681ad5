package org.klangk.health.server.source;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.klangk.health.server.http.WorkspaceJson;
import org.klangk.health.service.Actor;
import org.klangk.health.service.HealthService;
import org.klangk.health.service.WorkspaceStatus;
import org.klangk.health.workspace.Source;
import org.klangk.health.workspace.Workspace;
import org.klangk.health.workspace.WorkspaceDraft;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * Workspaces in a YAML file: {@code workspaces:}, a map of names to fields as the interface has them. It is read again whenever it
 * changes. What cannot be accepted changes nothing and is told in the log; what is not in it any more ends.
 */
public final class WorkspaceFile implements AutoCloseable {
    /** A file that cannot be accepted. */
    public static final class UnacceptableException extends RuntimeException {
        private static final long serialVersionUID = 1;

        UnacceptableException(String message) {
            super(message);
        }
    }

    private static final long LOOK_MILLIS = 1_000;
    private static final Actor ACTOR = new Actor("file", Integer.MAX_VALUE);
    private static final Logger log = LoggerFactory.getLogger(WorkspaceFile.class);

    private final Path file;
    private final HealthService health;
    private final Scheduler scheduler = Schedulers.newBoundedElastic(1, 16, "klangk-file");
    private String read = "";

    private WorkspaceFile(Path file, HealthService health) {
        this.file = file;
        this.health = health;
    }

    /**
     * Reads the file, and follows it from then on; completes when what it says is defined, fails with
     * {@link UnacceptableException} when that cannot be.
     */
    public static Mono<WorkspaceFile> follow(Path file, HealthService health) {
        return Mono.defer(() -> {
            WorkspaceFile followed = new WorkspaceFile(file, health);
            return Mono.fromCallable(followed::changed)
                    .subscribeOn(followed.scheduler)
                    .flatMap(text -> followed.apply(parse(file, text)))
                    .doOnSuccess(done -> followed.scheduler.schedulePeriodically(
                            followed::look, LOOK_MILLIS, LOOK_MILLIS, TimeUnit.MILLISECONDS))
                    .thenReturn(followed);
        });
    }

    /** Reads the file again soon, changed or not. May be called on any thread. */
    public void readAgain() {
        scheduler.schedule(() -> {
            read = "";
            look();
        });
    }

    /** What is in the file where that is something new; null otherwise. */
    private @Nullable String changed() {
        try {
            String text = Files.readString(file);
            if (text.equals(read)) {
                return null;
            }
            read = text;
            return text;
        } catch (IOException e) {
            throw new UnacceptableException(file + " cannot be read: " + e);
        }
    }

    private void look() {
        try {
            String text = changed();
            if (text != null) {
                Map<String, WorkspaceDraft> wanted = parse(file, text);
                apply(wanted)
                        .subscribe(
                                done -> log.info("{} was read again: {} workspaces", file, wanted.size()),
                                error -> log.warn("{} changes nothing more: {}", file, error.getMessage()));
            }
        } catch (RuntimeException e) {
            log.warn("{} changes nothing: {}", file, e.getMessage());
        }
    }

    /** Its definitions, by name; each is read before any is applied. */
    static Map<String, WorkspaceDraft> parse(Path file, String text) {
        JsonNode document;
        try {
            document = new YAMLMapper()
                    .enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION)
                    .readTree(text);
        } catch (IOException e) {
            throw new UnacceptableException(file + " is not YAML: "
                    + String.valueOf(e.getMessage()).lines().findFirst().orElse(""));
        }
        JsonNode all = document.path("workspaces");
        boolean onlyWorkspaces = document.isMissingNode() || document.isNull() || document.size() <= 1;
        if (!onlyWorkspaces || !(all.isObject() || all.isNull() || (all.isMissingNode() && document.isEmpty()))) {
            throw new UnacceptableException(file + ": 'workspaces', a map of names to fields, is accepted");
        }
        Map<String, WorkspaceDraft> drafts = new LinkedHashMap<>();
        all.properties().forEach(one -> drafts.put(one.getKey(), draft(file, one.getKey(), one.getValue())));
        return drafts;
    }

    private static WorkspaceDraft draft(Path file, String name, JsonNode fields) {
        WorkspaceDraft draft = Workspace.named(name).source(Source.FILE);
        if (fields.isNull()) {
            return draft;
        }
        if (!(fields instanceof ObjectNode object) || fields.has("name")) {
            throw new UnacceptableException(
                    file + ": workspaces." + name + ": a map of fields without name is accepted");
        }
        try {
            return WorkspaceJson.apply(draft, object);
        } catch (RuntimeException e) {
            throw new UnacceptableException(file + ": workspaces." + name + ": " + e.getMessage());
        }
    }

    private Mono<Boolean> apply(Map<String, WorkspaceDraft> wanted) {
        return Flux.fromIterable(wanted.entrySet())
                .concatMap(one -> health.acceptable(one.getValue())
                        .onErrorMap(e -> new UnacceptableException(
                                file + ": workspaces." + one.getKey() + ": " + e.getMessage())))
                .then(health.list())
                .flatMapIterable(all -> all)
                .map(WorkspaceStatus::health)
                .filter(known -> known.workspace().source() == Source.FILE
                        && !wanted.containsKey(known.workspace().name()))
                .concatMap(known -> health.remove(known.id(), ACTOR))
                .thenMany(Flux.fromIterable(wanted.values()))
                .concatMap(health::declare)
                .then(Mono.just(true));
    }

    @Override
    public void close() {
        scheduler.dispose();
    }
}
