package org.klangk.health.server.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/** Sockets that count the bytes they get, all on one thread. */
final class Clients implements AutoCloseable {
    private static final int PERIOD_MILLIS = 5;

    private final Selector selector;
    private final List<SocketChannel> channels = new ArrayList<>();
    private final AtomicLong received = new AtomicLong();

    /** Connects; each sends {@code greeting} first. */
    Clients(int count, InetSocketAddress address, String greeting) {
        try {
            selector = Selector.open();
            for (int i = 0; i < count; i++) {
                SocketChannel channel = SocketChannel.open(address);
                channel.write(ByteBuffer.wrap(greeting.getBytes(StandardCharsets.US_ASCII)));
                channel.configureBlocking(false);
                channel.register(selector, SelectionKey.OP_READ);
                channels.add(channel);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Thread thread = new Thread(this::read, "clients");
        thread.setDaemon(true);
        thread.start();
    }

    private void read() {
        ByteBuffer buffer = ByteBuffer.allocateDirect(1 << 20);
        try {
            while (selector.isOpen()) {
                selector.select(PERIOD_MILLIS);
                for (SelectionKey key : selector.selectedKeys()) {
                    buffer.clear();
                    int read = ((SocketChannel) key.channel()).read(buffer);
                    if (read < 0) {
                        key.cancel();
                    } else {
                        received.addAndGet(read);
                    }
                }
                selector.selectedKeys().clear();
            }
        } catch (IOException | java.nio.channels.ClosedSelectorException closed) {
            received.addAndGet(0);
        }
    }

    long received() {
        return received.get();
    }

    /** Waits until this many bytes have come in all. */
    void await(long bytes) {
        while (received.get() < bytes) {
            LockSupport.parkNanos(200_000);
        }
    }

    /** Waits until nothing comes any more. */
    void settle() throws InterruptedException {
        long before = -1;
        while (before != received.get()) {
            before = received.get();
            Thread.sleep(500);
        }
    }

    @Override
    public void close() throws IOException {
        for (SocketChannel channel : channels) {
            channel.close();
        }
        selector.close();
    }
}
