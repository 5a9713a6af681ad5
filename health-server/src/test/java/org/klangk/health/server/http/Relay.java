package org.klangk.health.server.http;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/** Stands between a client and a server and cuts each connection after so many bytes of the server's. */
final class Relay implements AutoCloseable {
    private final ServerSocket door;
    private final IntSupplier port;
    private final IntSupplier patience;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private final AtomicInteger links = new AtomicInteger();

    /**
     * A relay.
     *
     * @param port asked for each connection: where to
     * @param patience asked for each connection: after how many bytes it is cut
     */
    Relay(IntSupplier port, IntSupplier patience) {
        this.port = port;
        this.patience = patience;
        try {
            door = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        start(this::accept);
    }

    int port() {
        return door.getLocalPort();
    }

    /** How many connections there were. */
    int links() {
        return links.get();
    }

    /** How many sockets are open now. */
    int open() {
        return open.size();
    }

    private static void start(Runnable task) {
        Thread thread = new Thread(task, "relay");
        thread.setDaemon(true);
        thread.start();
    }

    private void accept() {
        try {
            while (true) {
                Socket client = door.accept();
                Socket server = connect();
                if (server == null) {
                    client.close();
                    continue;
                }
                links.incrementAndGet();
                open.add(client);
                open.add(server);
                start(() -> copy(client, server, Integer.MAX_VALUE));
                start(() -> copy(server, client, patience.getAsInt()));
            }
        } catch (IOException e) {
            // It was closed.
        }
    }

    /** Null while nobody listens there. */
    private @Nullable Socket connect() {
        try {
            return new Socket(InetAddress.getLoopbackAddress(), port.getAsInt());
        } catch (IOException e) {
            return null;
        }
    }

    private void copy(Socket from, Socket to, int bytes) {
        byte[] buffer = new byte[4096];
        try (from;
                to) {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            int left = bytes;
            while (left > 0) {
                int read = in.read(buffer, 0, Math.min(left, buffer.length));
                if (read < 0) {
                    return;
                }
                out.write(buffer, 0, read);
                left -= read;
            }
        } catch (IOException e) {
            // The other side was cut.
        } finally {
            open.remove(from);
            open.remove(to);
        }
    }

    /** Cuts what is connected now. */
    void cut() {
        open.forEach(socket -> {
            try {
                socket.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }

    @Override
    public void close() {
        try {
            door.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        cut();
    }
}
