package org.klangk.health.transport.podman;

import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.klangk.health.probe.Probe;
import org.klangk.health.probe.ProbeRequest;
import org.klangk.health.probe.ProbeResult;
import org.klangk.health.random.Unguessable;
import org.klangk.health.transport.check.CheckScript;
import org.klangk.health.workspace.ProbeKind;
import org.klangk.health.workspace.WorkspaceId;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Checks in sessions, opened when they are needed and kept while they are: one for each workspace, more where runs overlap. A
 * run whose session is lost is run again, once, as an exec of its own, which also ends what the lost one left. Where sessions
 * cannot be had, execs serve.
 */
final class SessionProbe implements Probe {
    private static final Duration OPENING = Duration.ofSeconds(10);

    private final Map<WorkspaceId, Session> resting = new ConcurrentHashMap<>();
    private final Set<Session> open = ConcurrentHashMap.newKeySet();
    private final Execs execs;
    private final CheckScript script;
    private final ExecProbe exec;
    private final SessionLimits limits;
    private final StandIns standIns;

    SessionProbe(Execs execs, CheckScript script, ExecProbe exec, SessionLimits limits) {
        this.execs = execs;
        this.script = script;
        this.exec = exec;
        this.limits = limits;
        standIns = new StandIns(limits, System::nanoTime);
    }

    @Override
    public Mono<ProbeResult> run(ProbeRequest request) {
        return Mono.defer(() -> standIns.serve(request)
                ? exec.run(request)
                : session(request)
                        .flatMap(session -> check(session, request))
                        .switchIfEmpty(Mono.defer(() -> execInstead(request, null)))
                        .onErrorResume(
                                TimeoutException.class,
                                late -> Mono.just(new ProbeResult.NoResult("no session could be opened in time")))
                        .onErrorResume(error -> Mono.just(ExecFailure.of(error, request))));
    }

    private Mono<Session> session(ProbeRequest request) {
        Session session = resting.remove(request.workspaceId());
        if (session != null) {
            session.wake();
            if (fits(session, request)) {
                return Mono.just(session);
            }
            session.close();
        }
        return Session.open(execs, script, request).timeout(OPENING).doOnNext(opened -> {
            open.add(opened);
            opened.ended().subscribe(nothing -> {}, error -> {}, () -> {
                open.remove(opened);
                resting.remove(request.workspaceId(), opened);
            });
        });
    }

    private boolean fits(Session session, ProbeRequest request) {
        return session.serves(request)
                && session.age().compareTo(SessionLimits.spread(limits.life(), request.workspaceId())) < 0;
    }

    private Mono<ProbeResult> check(Session session, ProbeRequest request) {
        return Mono.defer(() -> {
            String mark = Unguessable.hex(16);
            return session.run(request, mark)
                    .doOnNext(result -> keep(session, request))
                    .onErrorResume(
                            TimeoutException.class,
                            late -> exec.sweep(request, mark)
                                    .thenReturn(new ProbeResult.NoResult("the check did not end")))
                    .switchIfEmpty(Mono.defer(() -> execInstead(request, mark)));
        });
    }

    private void keep(Session session, ProbeRequest request) {
        if (session.serves(request)) {
            standIns.served(request.workspaceId());
            session.rest(request.interval().plus(request.interval()).plus(request.timeout()));
            if (resting.putIfAbsent(request.workspaceId(), session) != null) {
                session.close();
            }
        }
    }

    /** That an exec could do it is what speaks against the session, and not against the container or Podman. */
    private Mono<ProbeResult> execInstead(ProbeRequest request, @Nullable String lost) {
        return exec.run(request, lost).doOnNext(result -> {
            if (result instanceof ProbeResult.Completed) {
                standIns.lost(request);
            }
        });
    }

    @Override
    public boolean opens(ProbeRequest request) {
        Session session = resting.get(request.workspaceId());
        return session == null || !fits(session, request);
    }

    @Override
    public void release(WorkspaceId id) {
        standIns.forget(id);
        Session session = resting.remove(id);
        if (session != null) {
            session.close();
        }
    }

    /** Closes every session; completes when they are over. */
    Mono<Void> close() {
        return Flux.fromIterable(open)
                .doOnNext(Session::close)
                .flatMap(Session::ended, Integer.MAX_VALUE)
                .then();
    }

    @Override
    public @Nullable ProbeKind inPlace(WorkspaceId id) {
        return standIns.serve(id) ? ProbeKind.EXEC : null;
    }
}
