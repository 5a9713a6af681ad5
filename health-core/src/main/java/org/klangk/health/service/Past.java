package org.klangk.health.service;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.EnumSet;
import java.util.List;
import org.klangk.health.history.Explanation;
import org.klangk.health.history.HistoryEntry;
import org.klangk.health.history.HistoryKind;
import org.klangk.health.history.HistoryQuery;
import org.klangk.health.history.OtherPolicy;
import org.klangk.health.history.Uptime;
import org.klangk.health.journal.Journal;
import org.klangk.health.state.StateSince;
import org.klangk.health.time.HealthClock;
import org.klangk.health.workspace.Workspace;
import org.klangk.health.workspace.WorkspaceId;
import org.klangk.health.writer.Writer;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/**
 * What was, as far as the journal keeps it. Methods may be called on any thread and do nothing before they are subscribed to;
 * signals arrive on the service's delivery scheduler. All of them fail with {@link NoSuchWorkspaceException} for a workspace that
 * is not watched.
 */
public final class Past {
    private static final int PAGE = 1_000;

    private final Writer writer;
    private final Journal journal;
    private final HealthClock clock;
    private final Scheduler delivery;

    Past(Writer writer, Journal journal, HealthClock clock, Scheduler delivery) {
        this.writer = writer;
        this.journal = journal;
        this.clock = clock;
        this.delivery = delivery;
    }

    /** What happened to a workspace, oldest first. */
    public Mono<List<HistoryEntry>> history(WorkspaceId id, HistoryQuery query) {
        return Mono.defer(() -> {
                    Commands.require(writer.board(), id);
                    return journal.history(id, query);
                })
                .publishOn(delivery);
    }

    /**
     * What the seconds of the latest {@code window} were, before now.
     *
     * @param window more than zero
     */
    public Mono<Uptime> uptime(WorkspaceId id, Duration window) {
        return Mono.defer(() -> {
                    Instant now = clock.wall().get().truncatedTo(ChronoUnit.MILLIS);
                    Instant from = now.minus(window);
                    StateSince state = Commands.require(writer.board(), id).stateAt(now);
                    return Mono.zip(journal.transitions(id, from), journal.aliveSince(from))
                            .map(past -> Uptime.between(from, now, state, past.getT1(), past.getT2()));
                })
                .publishOn(delivery);
    }

    /**
     * How a workspace came to be what it is, from what is kept of the latest {@code window}, under each of {@code policies}, in
     * their order; nothing is changed. Fails with {@code InvalidWorkspaceException} for a policy that is none.
     */
    public Mono<List<Explanation>> explain(WorkspaceId id, Duration window, List<OtherPolicy> policies) {
        return Mono.defer(() -> {
                    Workspace workspace = Commands.require(writer.board(), id).workspace();
                    Instant from = clock.wall().get().minus(window);
                    return page(id, 0)
                            .expand(page -> page.size() < PAGE
                                    ? Mono.empty()
                                    : page(id, page.get(page.size() - 1).id()))
                            .flatMapIterable(page -> page)
                            .filter(entry -> !entry.until().isBefore(from))
                            .collectList()
                            .publishOn(delivery)
                            .map(past -> policies.stream()
                                    .map(policy -> Explanation.of(workspace, past, policy))
                                    .toList());
                })
                .publishOn(delivery);
    }

    private Mono<List<HistoryEntry>> page(WorkspaceId id, long after) {
        return journal.history(id, new HistoryQuery(after, PAGE, EnumSet.allOf(HistoryKind.class)));
    }
}
