package org.klangk.health.transport.podman;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** A socket in front of Podman's, through which everything goes or which misbehaves in one of several ways. */
final class FrontDoor implements AutoCloseable {
    /** What it does with a connection. */
    enum Mode {
        /** Everything goes through. */
        OPEN,
        /** Bytes that are no HTTP. */
        GARBAGE,
        /** 500 to every request. */
        REFUSE,
        /** Closed as soon as it is open. */
        CLOSE,
        /** Taken, and never answered. */
        SILENT
    }

    private static final String REFUSAL = """
            HTTP/1.1 500 Internal Server Error
            Content-Type: application/json
            Content-Length: 16
            Connection: close

            {"message":"no"}""";

    private final Path path;
    private final Path target;
    private final ServerSocketChannel server;
    private final Set<SocketChannel> open = ConcurrentHashMap.newKeySet();
    private volatile Mode mode = Mode.OPEN;

    FrontDoor(Path path, Path target) {
        this.path = path;
        this.target = target;
        try {
            server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
            server.bind(UnixDomainSocketAddress.of(path));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        start(this::accept);
    }

    Path path() {
        return path;
    }

    /** Ends every connection; new ones are met like this. */
    void mode(Mode newMode) {
        mode = newMode;
        open.forEach(FrontDoor::close);
        open.clear();
    }

    private static void start(Runnable work) {
        Thread thread = new Thread(work, "front-door");
        thread.setDaemon(true);
        thread.start();
    }

    private void accept() {
        try {
            while (true) {
                SocketChannel client = server.accept();
                open.add(client);
                start(() -> meet(client));
            }
        } catch (IOException closed) {
            open.forEach(FrontDoor::close);
        }
    }

    private void meet(SocketChannel client) {
        try {
            switch (mode) {
                case OPEN -> through(client);
                case GARBAGE -> answer(client, "\0\1\2 this is no protocol at all\n\n\n");
                case REFUSE -> answer(client, REFUSAL.replace("\n", "\r\n"));
                case CLOSE -> close(client);
                case SILENT -> client.read(ByteBuffer.allocate(1));
            }
        } catch (IOException e) {
            close(client);
        }
    }

    private static void answer(SocketChannel client, String text) throws IOException {
        if (client.read(ByteBuffer.allocate(65536)) >= 0) {
            client.write(ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII)));
        }
        close(client);
    }

    private void through(SocketChannel client) throws IOException {
        SocketChannel podman = SocketChannel.open(UnixDomainSocketAddress.of(target));
        open.add(podman);
        start(() -> copy(podman, client));
        copy(client, podman);
    }

    private void copy(SocketChannel from, SocketChannel to) {
        ByteBuffer buffer = ByteBuffer.allocate(65536);
        try {
            while (from.read(buffer) >= 0) {
                buffer.flip();
                while (buffer.hasRemaining()) {
                    to.write(buffer);
                }
                buffer.clear();
            }
            to.shutdownOutput();
        } catch (IOException e) {
            close(from);
            close(to);
        }
    }

    private static void close(SocketChannel channel) {
        try {
            channel.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        try {
            server.close();
            open.forEach(FrontDoor::close);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
