package org.klangk.health.server.http;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.netty.handler.codec.http.HttpMethod;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.klangk.health.history.HistoryQuery;
import org.klangk.health.history.OtherPolicy;
import org.klangk.health.server.http.Router.Access;
import org.klangk.health.service.HealthService;
import org.klangk.health.service.WorkspaceStatus;
import org.klangk.health.transport.wire.WireText;
import org.klangk.health.workspace.Workspace;
import org.klangk.health.workspace.WorkspaceId;
import reactor.core.publisher.Mono;

/** The workspaces' part of the REST interface. */
final class WorkspaceApi {
    private static final String ALL = "/api/v1/workspaces";
    private static final String ONE = ALL + "/{id}";
    private static final int MAX_LIMIT = 1000;

    private final HealthService health;

    WorkspaceApi(HealthService health) {
        this.health = health;
    }

    void routes(Router router) {
        router.route(HttpMethod.GET, ALL, Access.CALLER, this::list);
        router.route(HttpMethod.POST, ALL, Access.CALLER, this::create);
        router.route(HttpMethod.GET, ONE, Access.CALLER, this::get);
        router.route(HttpMethod.PATCH, ONE, Access.CALLER, this::edit);
        router.route(HttpMethod.DELETE, ONE, Access.CALLER, this::remove);
        router.route(HttpMethod.GET, ONE + "/status", Access.CALLER, this::status);
        router.route(HttpMethod.GET, ONE + "/events", Access.CALLER, this::events);
        router.route(HttpMethod.GET, ONE + "/uptime", Access.CALLER, this::uptime);
        router.route(HttpMethod.GET, ONE + "/explain", Access.CALLER, this::explain);
        router.route(HttpMethod.POST, ONE + "/check", Access.CALLER, this::check);
        router.route(HttpMethod.POST, ONE + "/service-started", Access.CALLER, this::serviceStarted);
    }

    private static WorkspaceId id(Exchange exchange) {
        String text = exchange.path().get(0);
        try {
            return new WorkspaceId(text);
        } catch (IllegalArgumentException e) {
            throw Problem.of(404, "workspace-not-found", "No such workspace", "no workspace has such an id");
        }
    }

    private Mono<Void> list(Exchange exchange) {
        Integer limit = exchange.wholeNumber("limit", 1, MAX_LIMIT);
        String after = exchange.parameter("after");
        String query = exchange.parameter("q");
        String state = exchange.parameter("state");
        return health.list().flatMap(all -> {
            List<WorkspaceStatus> matching = all.stream()
                    .filter(one -> matches(one, query, state))
                    .filter(one -> after == null || key(one).compareTo(after) > 0)
                    .sorted(Comparator.comparing(WorkspaceApi::key))
                    .toList();
            if (limit == null) {
                return exchange.json(200, array(matching));
            }
            List<WorkspaceStatus> page = matching.stream().limit(limit).toList();
            boolean more = matching.size() > page.size();
            ObjectNode document = Exchange.JSON.createObjectNode();
            document.set("items", array(page));
            document.put("has_more", more);
            document.put("next", more ? key(page.get(page.size() - 1)) : null);
            return exchange.json(200, document);
        });
    }

    /** Lists are in the order of names; the id makes each place unique. */
    private static String key(WorkspaceStatus status) {
        return status.health().workspace().name() + "/" + status.health().id();
    }

    private static boolean matches(WorkspaceStatus status, @Nullable String query, @Nullable String state) {
        String name = status.health().workspace().name().toLowerCase(Locale.ROOT);
        return (query == null || name.contains(query.toLowerCase(Locale.ROOT)))
                && (state == null || state.equals(WireText.word(status.state().state())));
    }

    private static ArrayNode array(List<WorkspaceStatus> all) {
        ArrayNode array = Exchange.JSON.createArrayNode();
        all.forEach(status -> array.add(full(status)));
        return array;
    }

    /** The definition and, beside it, how the workspace is. */
    private static ObjectNode full(WorkspaceStatus status) {
        ObjectNode json = WorkspaceJson.write(status.health().workspace());
        ObjectNode now = StatusJson.write(status);
        for (String field :
                List.of("running", "state", "reason", "since", "health", "health_message", "health_checked_at")) {
            json.set(field, now.get(field));
        }
        return json;
    }

    private Mono<Void> create(Exchange exchange) {
        return exchange.object()
                .map(document -> WorkspaceJson.apply(Workspace.named("").name(null), document))
                .flatMap(health::define)
                .flatMap(workspace -> health.current(workspace.id()))
                .flatMap(status -> {
                    exchange.response()
                            .header("Location", ALL + "/" + status.health().id());
                    return exchange.json(201, full(status));
                });
    }

    private Mono<Void> get(Exchange exchange) {
        return health.current(id(exchange)).flatMap(status -> exchange.json(200, full(status)));
    }

    private Mono<Void> edit(Exchange exchange) {
        WorkspaceId id = id(exchange);
        return exchange.object()
                .flatMap(document -> health.change(id, draft -> WorkspaceJson.apply(draft, document)))
                .then(Mono.defer(() -> health.current(id)))
                .flatMap(status -> exchange.json(200, full(status)));
    }

    private Mono<Void> remove(Exchange exchange) {
        return health.remove(id(exchange)).then(Mono.defer(() -> exchange.empty(204)));
    }

    private Mono<Void> status(Exchange exchange) {
        return health.current(id(exchange)).flatMap(status -> {
            String tag = "W/\"" + status.epoch() + "." + status.told().rev() + "\"";
            exchange.response().header("ETag", tag);
            return EntityTags.among(exchange.request().requestHeaders().get("If-None-Match"), tag)
                    ? exchange.empty(304)
                    : exchange.json(200, StatusJson.write(status));
        });
    }

    private Mono<Void> events(Exchange exchange) {
        HistoryQuery query = HistoryJson.query(exchange);
        HistoryQuery oneMore = new HistoryQuery(query.after(), query.limit() + 1, query.kinds());
        return health.past()
                .history(id(exchange), oneMore)
                .flatMap(found -> exchange.json(200, HistoryJson.page(found, query)));
    }

    private Mono<Void> uptime(Exchange exchange) {
        Duration window = HistoryJson.window(exchange);
        return health.past().uptime(id(exchange), window).flatMap(sum -> exchange.json(200, HistoryJson.write(sum)));
    }

    private Mono<Void> explain(Exchange exchange) {
        WorkspaceId id = id(exchange);
        Duration since = HistoryJson.since(exchange);
        OtherPolicy other = HistoryJson.policy(exchange);
        boolean tries = !other.equals(OtherPolicy.NONE);
        return health.past()
                .explain(id, since, tries ? List.of(OtherPolicy.NONE, other) : List.of(OtherPolicy.NONE))
                .flatMap(explained ->
                        exchange.json(200, HistoryJson.write(explained.get(0), tries ? explained.get(1) : null)));
    }

    private Mono<Void> check(Exchange exchange) {
        WorkspaceId id = id(exchange);
        return noFields(exchange)
                .then(Mono.defer(() -> health.check(id)))
                .flatMap(answer -> exchange.json(200, StatusJson.write(id.value(), answer)));
    }

    private Mono<Void> serviceStarted(Exchange exchange) {
        WorkspaceId id = id(exchange);
        return noFields(exchange)
                .then(Mono.defer(() -> health.serviceStarted(id)))
                .flatMap(status -> exchange.json(200, StatusJson.write(status)));
    }

    private static Mono<Void> noFields(Exchange exchange) {
        return exchange.object()
                .doOnNext(document -> {
                    if (!document.isEmpty()) {
                        String field = document.fieldNames().next();
                        throw Problem.invalid(field, field + " is not a field; none is accepted");
                    }
                })
                .then();
    }
}
