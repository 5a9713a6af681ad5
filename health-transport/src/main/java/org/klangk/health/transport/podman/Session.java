package org.klangk.health.transport.podman;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.codec.http.HttpClientCodec;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.klangk.health.probe.ProbeRequest;
import org.klangk.health.probe.ProbeResult;
import org.klangk.health.random.Unguessable;
import org.klangk.health.transport.check.CheckOutput;
import org.klangk.health.transport.check.CheckScript;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoSink;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Schedulers;
import reactor.netty.Connection;
import reactor.netty.FutureMono;

/**
 * One long-lived exec in which a shell runs checks, one after the other; whoever holds the session sees to it that it is one at
 * a time. It ends when it is closed, when its shell is killed, with its container and with Podman's service. What it runs then
 * ends with it, and the check under way is lost. Methods may be called on any thread.
 */
final class Session {
    /** Between asking the shell to end and cutting the connection. */
    private static final Duration FAREWELL = Duration.ofSeconds(5);

    private static final Logger log = LoggerFactory.getLogger(Session.class);

    /**
     * Where a session is and as whom; it serves no request of another seat.
     *
     * @param incarnation of the container
     */
    record Seat(
            String containerId,
            long incarnation,
            @Nullable String user,
            @Nullable String home,
            @Nullable String workdir) {
        static Seat of(ProbeRequest request) {
            return new Seat(
                    request.containerId(), request.incarnation(), request.user(), request.home(), request.workdir());
        }
    }

    /** Who waits for something that the shell has to say. */
    private record Turn(CheckOutput output, MonoSink<CheckOutput> sink) {}

    private final Seat seat;
    private final Connection connection;
    private final CheckScript script;
    private final long openedNanos = System.nanoTime();
    private final AtomicReference<@Nullable Turn> turn = new AtomicReference<>();
    private final AtomicBoolean closed = new AtomicBoolean();
    private final Disposable.Swap rest = Disposables.swap();
    private final Sinks.Empty<Void> ended = Sinks.empty();
    private volatile boolean over;

    private Session(Seat seat, Connection connection, CheckScript script) {
        this.seat = seat;
        this.connection = connection;
        this.script = script;
    }

    /**
     * Opens a session for a request; empty when its shell ended before it began, or cannot run checks. Fails when Podman refuses
     * or does not answer.
     */
    static Mono<Session> open(Execs execs, CheckScript script, ProbeRequest request) {
        return Mono.defer(() -> {
            String nonce = Unguessable.hex(16);
            return execs.attach(request, script.session(), (id, connection) -> {
                Session session = new Session(Seat.of(request), connection, script);
                session.ended().then(execs.forget(id)).subscribe();
                return session.begin(nonce);
            });
        });
    }

    private Mono<Session> begin(String nonce) {
        StreamDecoder decoder = new StreamDecoder(this::deliver);
        return await(new CheckOutput(nonce), () -> {
                    connection
                            .inbound()
                            .receive()
                            .subscribe(received -> received(decoder, received), this::broke, this::end);
                    write(script.begin(nonce));
                })
                .filter(output -> output.verdict().isEmpty())
                .map(output -> this)
                .switchIfEmpty(Mono.fromRunnable(this::close));
    }

    private Mono<CheckOutput> await(CheckOutput output, Runnable act) {
        return Mono.create(sink -> {
            turn.set(new Turn(output, sink));
            if (over) {
                lose();
            } else {
                act.run();
            }
        });
    }

    private void deliver(int stream, byte[] bytes, int offset, int length) {
        Turn now = turn.get();
        // Between checks nobody has anything to say.
        if (now != null) {
            Execs.deliver(stream, bytes, offset, length, now.output());
        }
    }

    private void received(StreamDecoder decoder, ByteBuf bytes) {
        decoder.decode(bytes);
        Turn now = turn.get();
        if (now != null && (now.output().begun() || now.output().ended())) {
            turn.set(null);
            now.sink().success(now.output());
        }
    }

    private void broke(Throwable error) {
        log.debug("a session in container {} broke: {}", seat.containerId(), error.toString());
        end();
    }

    private void end() {
        over = true;
        rest.dispose();
        connection.dispose();
        lose();
        ended.tryEmitEmpty();
    }

    private void lose() {
        Turn now = turn.getAndSet(null);
        if (now != null) {
            now.sink().success();
        }
    }

    /**
     * Runs a check; empty when the session ended without telling. Fails with {@link TimeoutException} when the shell does not
     * tell in time. Then, and when this is cancelled, the session is closed.
     */
    Mono<ProbeResult> run(ProbeRequest request, String mark) {
        return Mono.defer(() -> {
                    String nonce = Unguessable.hex(16);
                    return await(new CheckOutput(nonce), () -> write(script.ask(request, nonce, mark)));
                })
                .doOnCancel(this::close)
                .flatMap(output -> Mono.justOrEmpty(output.verdict()))
                .timeout(request.timeout().plus(CheckScript.PATIENCE));
    }

    /** Past the encoder, which takes nothing but requests. */
    private void write(byte[] bytes) {
        ChannelHandlerContext codec = connection.channel().pipeline().context(HttpClientCodec.class);
        if (codec == null) {
            end();
            return;
        }
        codec.writeAndFlush(Unpooled.wrappedBuffer(bytes)).addListener(written -> {
            if (!written.isSuccess()) {
                broke(written.cause());
            }
        });
    }

    boolean serves(ProbeRequest request) {
        return !over && !closed.get() && seat.equals(Seat.of(request));
    }

    Duration age() {
        return Duration.ofNanos(System.nanoTime() - openedNanos);
    }

    /** Nobody needs it now; it closes when that lasts. */
    void rest(Duration patience) {
        rest.update(Schedulers.parallel().schedule(this::close, patience.toMillis(), TimeUnit.MILLISECONDS));
    }

    /** Somebody needs it. */
    void wake() {
        rest.update(Disposables.disposed());
    }

    /** Asks the shell to end, and with it what it runs. */
    void close() {
        if (closed.compareAndSet(false, true)) {
            rest.dispose();
            DuplexChannel channel = (DuplexChannel) connection.channel();
            FutureMono.deferFuture(channel::shutdownOutput)
                    .onErrorComplete()
                    .then(ended())
                    .timeout(FAREWELL, Mono.empty())
                    .doFinally(end -> connection.dispose())
                    .subscribe();
        }
    }

    /** Completes when it is over, however that came. */
    Mono<Void> ended() {
        return ended.asMono();
    }
}
