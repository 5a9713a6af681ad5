package org.klangk.health.transport.journal;

import java.sql.Connection;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import reactor.core.publisher.Mono;

/**
 * A connection and the one thread that uses it. Work is done in the order in which it was asked for, and is not broken off when
 * nobody waits for it any more.
 */
final class Lane {
    /** Something to do with the connection; it may block. */
    interface Work<T> {
        T run(Connection connection) throws Exception;
    }

    private final ExecutorService thread;
    private final Connection connection;

    Lane(String name, Connection connection) {
        this.connection = connection;
        thread = Executors.newSingleThreadExecutor(task -> {
            Thread made = new Thread(task, name);
            made.setDaemon(true);
            return made;
        });
    }

    <T> Mono<T> run(Work<T> work) {
        return Mono.fromFuture(() -> CompletableFuture.supplyAsync(() -> call(work), thread), true)
                .onErrorMap(CompletionException.class, e -> e.getCause() == null ? e : e.getCause());
    }

    private <T> T call(Work<T> work) {
        try {
            return work.run(connection);
        } catch (Exception e) {
            throw new CompletionException(e);
        }
    }

    /** Ends after all that was asked for. */
    Mono<Void> close() {
        return this.<Boolean>run(open -> {
                    open.close();
                    return true;
                })
                .doFinally(end -> thread.shutdown())
                .then();
    }
}
