package org.klangk.health.server.http;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.netty.handler.codec.http.HttpMethod;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.klangk.health.history.HistoryQuery;
import org.klangk.health.history.OtherPolicy;
import org.klangk.health.server.auth.Caller;
import org.klangk.health.server.http.Router.Access;
import org.klangk.health.service.HealthService;
import org.klangk.health.service.WorkspaceStatus;
import org.klangk.health.transport.wire.WireText;
import org.klangk.health.workspace.Source;
import org.klangk.health.workspace.Viewer;
import org.klangk.health.workspace.Workspace;
import org.klangk.health.workspace.WorkspaceId;
import reactor.core.publisher.Mono;

/** The workspaces' part of the REST interface. */
final class WorkspaceApi {
    private static final String ALL = "/api/v1/workspaces";
    private static final String ONE = ALL + "/{id}";
    private static final int MAX_LIMIT = 1000;
    private static final int DEFAULT_LOG = 64 * 1024;
    private static final int MAX_LOG = 2 * 1024 * 1024;

    private final HealthService health;
    private final Rights rights;

    WorkspaceApi(HealthService health, Rights rights) {
        this.health = health;
        this.rights = rights;
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
        router.route(HttpMethod.GET, ONE + "/logs", Access.CALLER, this::logs);
        router.route(HttpMethod.GET, ONE + "/explain", Access.CALLER, this::explain);
        router.route(HttpMethod.POST, ONE + "/check", Access.CALLER, this::check);
        router.route(HttpMethod.POST, ONE + "/start", Access.CALLER, this::start);
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

    /** The workspace of the request, which the caller may see. */
    private Mono<WorkspaceStatus> seen(Exchange exchange) {
        return health.current(id(exchange))
                .doOnNext(status ->
                        rights.requireSight(exchange.caller(), status.health().workspace()));
    }

    /** Likewise, and may edit. */
    private Mono<WorkspaceStatus> editable(Exchange exchange) {
        return health.current(id(exchange))
                .doOnNext(status ->
                        rights.requireEdit(exchange.caller(), status.health().workspace()));
    }

    /** Likewise, and its definition is kept here. */
    private Mono<WorkspaceStatus> changeable(Exchange exchange) {
        return editable(exchange).doOnNext(status -> {
            Workspace workspace = status.health().workspace();
            if (workspace.source() != Source.API) {
                String where = workspace.source() == Source.LABEL
                        ? "by the labels of container '" + workspace.container() + "'"
                        : "in a file of the server's";
                throw Problem.of(
                        409, "defined-elsewhere", "Defined elsewhere", "it is defined " + where + "; change it there");
            }
        });
    }

    private Mono<Void> list(Exchange exchange) {
        Integer limit = exchange.wholeNumber("limit", 1, MAX_LIMIT);
        String after = exchange.parameter("after");
        String query = exchange.parameter("q");
        String state = exchange.parameter("state");
        return health.list().flatMap(all -> {
            Viewer viewer = exchange.caller().viewer();
            List<WorkspaceStatus> matching = all.stream()
                    .filter(one -> viewer.sees(one.health().workspace()))
                    .filter(one -> matches(one, query, state))
                    .filter(one -> after == null || key(one).compareTo(after) > 0)
                    .sorted(Comparator.comparing(WorkspaceApi::key))
                    .toList();
            if (limit == null) {
                return exchange.json(200, array(exchange, matching));
            }
            List<WorkspaceStatus> page = matching.stream().limit(limit).toList();
            boolean more = matching.size() > page.size();
            ObjectNode document = Exchange.JSON.createObjectNode();
            document.set("items", array(exchange, page));
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

    private ArrayNode array(Exchange exchange, List<WorkspaceStatus> all) {
        ArrayNode array = Exchange.JSON.createArrayNode();
        all.forEach(status -> array.add(full(exchange, status)));
        return array;
    }

    /** The definition and, beside it, how the workspace is. */
    private ObjectNode full(Exchange exchange, WorkspaceStatus status) {
        Workspace workspace = status.health().workspace();
        ObjectNode json = WorkspaceJson.write(workspace, rights.mayEdit(exchange.caller(), workspace));
        ObjectNode now = StatusJson.write(status);
        for (String field :
                List.of("running", "state", "reason", "since", "health", "health_message", "health_checked_at")) {
            json.set(field, now.get(field));
        }
        return json;
    }

    private Mono<Void> create(Exchange exchange) {
        Caller caller = exchange.caller();
        rights.requireCreate(caller);
        return exchange.object()
                .map(document -> {
                    rights.requireFields(caller, document, null);
                    return WorkspaceJson.apply(Workspace.named("").name(null).owner(caller.user()), document);
                })
                .flatMap(draft -> health.define(draft, rights.actor(caller)))
                .flatMap(workspace -> health.current(workspace.id()))
                .flatMap(status -> {
                    exchange.response()
                            .header("Location", ALL + "/" + status.health().id());
                    return exchange.json(201, full(exchange, status));
                });
    }

    private Mono<Void> get(Exchange exchange) {
        return seen(exchange).flatMap(status -> exchange.json(200, full(exchange, status)));
    }

    private Mono<Void> edit(Exchange exchange) {
        Caller caller = exchange.caller();
        WorkspaceId id = id(exchange);
        return changeable(exchange)
                .then(exchange.object())
                .flatMap(document -> health.change(
                        id,
                        draft -> {
                            // Again, for this is the moment that counts.
                            Workspace present = Objects.requireNonNull(draft.present());
                            rights.requireEdit(caller, present);
                            rights.requireFields(caller, document, present);
                            return WorkspaceJson.apply(draft, document);
                        },
                        rights.actor(caller)))
                .then(Mono.defer(() -> health.current(id)))
                .flatMap(status -> exchange.json(200, full(exchange, status)));
    }

    private Mono<Void> remove(Exchange exchange) {
        return changeable(exchange)
                .flatMap(status -> health.remove(id(exchange), rights.actor(exchange.caller())))
                .then(Mono.defer(() -> exchange.empty(204)));
    }

    private Mono<Void> status(Exchange exchange) {
        return seen(exchange).flatMap(status -> {
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
        return seen(exchange)
                .flatMap(status -> health.past()
                        .history(id(exchange), oneMore)
                        .flatMap(found -> exchange.json(
                                200,
                                HistoryJson.page(
                                        found,
                                        query,
                                        rights.mayEdit(
                                                exchange.caller(),
                                                status.health().workspace())))));
    }

    private Mono<Void> uptime(Exchange exchange) {
        Duration window = HistoryJson.window(exchange);
        return seen(exchange)
                .flatMap(status -> health.past().uptime(id(exchange), window))
                .flatMap(sum -> exchange.json(200, HistoryJson.write(sum)));
    }

    private Mono<Void> explain(Exchange exchange) {
        WorkspaceId id = id(exchange);
        Duration since = HistoryJson.since(exchange);
        OtherPolicy other = HistoryJson.policy(exchange);
        boolean tries = !other.equals(OtherPolicy.NONE);
        List<OtherPolicy> policies = tries ? List.of(OtherPolicy.NONE, other) : List.of(OtherPolicy.NONE);
        return seen(exchange)
                .flatMap(status -> health.past().explain(id, since, policies))
                .flatMap(explained ->
                        exchange.json(200, HistoryJson.write(explained.get(0), tries ? explained.get(1) : null)));
    }

    /** What the service printed is for those who may edit: it may hold anything. */
    private Mono<Void> logs(Exchange exchange) {
        Integer asked = exchange.wholeNumber("bytes", 1, MAX_LOG);
        int bytes = asked == null ? DEFAULT_LOG : asked;
        return editable(exchange)
                .flatMap(status -> health.output(id(exchange), bytes))
                .switchIfEmpty(Mono.error(() -> Problem.of(
                        404,
                        "no-logs",
                        "No logs",
                        "this server does not start its service, so it has no output of it")))
                .flatMap(exchange::text);
    }

    /** Runs the check now, or, with {@code dry_run}, a command that nobody will know of. */
    private Mono<Void> check(Exchange exchange) {
        WorkspaceId id = id(exchange);
        return exchange.object()
                .map(DryRunJson::read)
                .flatMap(asked -> asked.isDry()
                        ? editable(exchange).flatMap(status -> health.dryRun(id, asked.command()))
                        : seen(exchange).flatMap(status -> health.check(id)))
                .flatMap(answer -> exchange.json(200, StatusJson.write(id.value(), answer)));
    }

    private Mono<Void> serviceStarted(Exchange exchange) {
        WorkspaceId id = id(exchange);
        return noFields(exchange)
                .then(Mono.defer(() -> editable(exchange)))
                .flatMap(status -> health.serviceStarted(id))
                .flatMap(status -> exchange.json(200, StatusJson.write(status)));
    }

    /** Starts what the server starts for the workspace and what does not run. */
    private Mono<Void> start(Exchange exchange) {
        WorkspaceId id = id(exchange);
        return noFields(exchange)
                .then(Mono.defer(() -> editable(exchange)))
                .flatMap(status -> health.launch(id))
                .then(Mono.defer(() -> health.current(id)))
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
