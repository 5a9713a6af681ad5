package org.klangk.health.server.bench;

import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import org.klangk.health.frame.Frame;
import org.klangk.health.frame.FrameKind;
import org.klangk.health.frame.LoggedFrame;
import org.klangk.health.server.auth.Authenticator;
import org.klangk.health.server.config.AuthMode;
import org.klangk.health.server.config.Limits;
import org.klangk.health.server.config.ServerConfig;
import org.klangk.health.server.http.HealthServer;
import org.klangk.health.server.http.TextMessage;
import org.klangk.health.service.HealthService;
import org.klangk.health.stream.WatchRequest;
import org.klangk.health.transport.journal.Retention;
import org.klangk.health.workspace.HealthDefaults;
import reactor.core.Disposable;
import reactor.netty.DisposableServer;
import reactor.netty.resources.LoopResources;
import reactor.netty.tcp.TcpServer;

/**
 * Frames to WebSockets over loopback, beside the same bytes written to plain sockets by hand. Both times changes are made and
 * committed as fast as it goes, so what differs is how they get to the connections.
 */
final class SocketBench {
    private static final Duration LONG = Duration.ofSeconds(30);
    private static final int CHANGES = 1000;
    private static final int FRAMES = CHANGES * Changes.FRAMES_PER_CHANGE;
    private static final int ROUNDS = 7;
    private static final int WARM = 2;

    private final int count;
    private final Changes changes = new Changes();
    private final HealthService health = changes.start();
    private final LongAdder messages = new LongAdder();
    private final LongAdder sent = new LongAdder();

    private SocketBench(int count) {
        this.count = count;
        health.stream().watch(WatchRequest.all()).filter(SocketBench::changed).subscribe(frame -> {
            sent.add(TextMessage.of(frame).length);
            messages.increment();
        });
    }

    static ServerConfig config() {
        return new ServerConfig(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                Set.of(),
                Path.of("unused"),
                null,
                Path.of("unused"),
                AuthMode.NONE,
                HealthDefaults.standard(),
                Retention.standard(),
                new Limits(100, 100),
                null,
                null,
                null,
                false,
                2);
    }

    static String greeting(InetSocketAddress address) {
        return """
                GET /ws?view=full HTTP/1.1
                Host: 127.0.0.1:%d
                Upgrade: websocket
                Connection: Upgrade
                Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==
                Sec-WebSocket-Version: 13

                """.formatted(address.getPort()).replace("\n", "\r\n");
    }

    static void run(int count) throws Exception {
        new SocketBench(count).measure();
        System.exit(0);
    }

    private void measure() throws Exception {
        double[] ours = webSockets();
        double[] floor = rawBytes();
        Bench.line(
                "%d connections, %d frames, median of %d rounds: WebSocket %,.0f deliveries/s, raw bytes %,.0f/s, ratio %.2f",
                count, FRAMES, ROUNDS, median(ours), median(floor), median(ours) / median(floor));
    }

    private double[] webSockets() throws Exception {
        HealthServer server = Objects.requireNonNull(
                HealthServer.start(config(), health, Authenticator.none()).block(LONG));
        try (Clients clients = new Clients(count, server.address(), greeting(server.address()))) {
            return rounds(clients);
        }
    }

    private double[] rawBytes() throws Exception {
        try (RawServer raw = new RawServer();
                Clients clients = new Clients(count, raw.address(), "x")) {
            raw.await(count);
            Disposable subscription = health.stream()
                    .watch(WatchRequest.all())
                    .filter(SocketBench::changed)
                    .subscribe(frame -> raw.write(TextMessage.of(frame)));
            double[] rates = rounds(clients);
            subscription.dispose();
            return rates;
        }
    }

    /** Deliveries a second, from the first change to the last byte at the last client. */
    private double[] rounds(Clients clients) throws InterruptedException {
        double[] rates = new double[ROUNDS];
        for (int round = -WARM; round < ROUNDS; round++) {
            clients.settle();
            sent.reset();
            messages.reset();
            long from = clients.received();
            long start = System.nanoTime();
            changes.make(CHANGES);
            while (messages.sum() < FRAMES) {
                LockSupport.parkNanos(200_000);
            }
            clients.await(from + sent.sum() * count);
            double seconds = (System.nanoTime() - start) / 1e9;
            if (round >= 0) {
                rates[round] = (double) FRAMES * count / seconds;
            }
        }
        return rates;
    }

    private static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }

    private static boolean changed(Frame frame) {
        return frame instanceof LoggedFrame logged && logged.kind() == FrameKind.CHANGE;
    }

    /** Writes bytes to every connection, each event loop to its own. */
    private static final class RawServer implements AutoCloseable {
        private final LoopResources loops = LoopResources.create("raw", 2, true);
        private final Map<EventLoop, List<Channel>> channels = new HashMap<>();
        private final Map<EventLoop, Queue<byte[]>> pending = new HashMap<>();
        private final DisposableServer server;
        private int connected;

        RawServer() {
            server = TcpServer.create()
                    .host("127.0.0.1")
                    .port(0)
                    .runOn(loops)
                    .doOnConnection(connection -> add(connection.channel()))
                    .bindNow();
        }

        private synchronized void add(Channel channel) {
            channels.computeIfAbsent(channel.eventLoop(), loop -> new ArrayList<>())
                    .add(channel);
            connected++;
        }

        private synchronized int connected() {
            return connected;
        }

        void await(int count) {
            while (connected() < count) {
                LockSupport.parkNanos(200_000);
            }
        }

        InetSocketAddress address() {
            return (InetSocketAddress) server.address();
        }

        /** Each event loop writes what came since it last looked to one connection after the other. */
        synchronized void write(byte[] message) {
            channels.forEach((loop, own) -> {
                Queue<byte[]> waiting = pending.computeIfAbsent(loop, none -> new ConcurrentLinkedQueue<>());
                waiting.add(message);
                loop.execute(() -> drain(waiting, own));
            });
        }

        @SuppressWarnings("FutureReturnValueIgnored") // the clients count what came
        private static void drain(Queue<byte[]> waiting, List<Channel> channels) {
            List<byte[]> some = new ArrayList<>();
            for (byte[] message = waiting.poll(); message != null; message = waiting.poll()) {
                some.add(message);
            }
            if (!some.isEmpty()) {
                channels.forEach(channel -> {
                    some.forEach(message -> channel.write(Unpooled.wrappedBuffer(message)));
                    channel.flush();
                });
            }
        }

        @Override
        public void close() {
            server.disposeNow();
            loops.dispose();
        }
    }
}
