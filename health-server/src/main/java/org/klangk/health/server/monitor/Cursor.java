package org.klangk.health.server.monitor;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/** A place in a file, for the next monitor to go on from. One at a time has it; blocks. */
public final class Cursor implements AutoCloseable {
    /** A file that cannot be used; says why. */
    public static final class UnusableException extends RuntimeException {
        private static final long serialVersionUID = 1;

        UnusableException(String message) {
            super(message);
        }
    }

    private static final ObjectMapper JSON = new ObjectMapper();

    private final Path file;
    private final FileChannel guard;

    private Cursor(Path file, FileChannel guard) {
        this.file = file;
        this.guard = guard;
    }

    /**
     * Takes the file.
     *
     * @throws UnusableException when another monitor has it, or it cannot be written
     */
    public static Cursor take(Path file) {
        Path lock = file.resolveSibling(file.getFileName() + ".lock");
        try {
            FileChannel guard = FileChannel.open(lock, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            try {
                if (guard.tryLock() == null) {
                    guard.close();
                    throw inUse(file);
                }
            } catch (OverlappingFileLockException e) {
                guard.close();
                throw inUse(file);
            }
            return new Cursor(file, guard);
        } catch (IOException e) {
            throw new UnusableException("--cursor " + file + ": a file that can be written is accepted (" + e + ")");
        }
    }

    private static UnusableException inUse(Path file) {
        return new UnusableException("--cursor " + file + ": another monitor uses it; each needs one of its own");
    }

    /**
     * The place that was written last; the beginning where there is none.
     *
     * @throws UnusableException when the file holds something else
     */
    public Place read() {
        try {
            JsonNode json = JSON.readTree(Files.readString(file));
            String position = json.path("position").asText();
            if (!position.matches("[0-9A-Za-z]+\\.\\d{1,18}")) {
                throw new UnusableException("--cursor " + file + ": it holds no position; it is not overwritten");
            }
            Map<String, Long> done = new HashMap<>();
            json.path("done")
                    .properties()
                    .forEach(one -> done.put(one.getKey(), one.getValue().asLong()));
            return new Place(position, done);
        } catch (NoSuchFileException e) {
            return Place.BEGINNING;
        } catch (JsonProcessingException e) {
            throw new UnusableException("--cursor " + file + ": it holds no position; it is not overwritten");
        } catch (IOException e) {
            throw new UnusableException("--cursor " + file + ": it cannot be read (" + e + ")");
        }
    }

    /** Writes the place: all of it, or nothing of it. */
    public void write(Place place) throws IOException {
        ObjectNode json = JSON.createObjectNode().put("position", place.position());
        ObjectNode done = json.putObject("done");
        new TreeMap<>(place.done()).forEach(done::put);
        Path next = file.resolveSibling(file.getFileName() + ".next");
        try (FileChannel channel = FileChannel.open(
                next, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING)) {
            ByteBuffer bytes = ByteBuffer.wrap((json + "\n").getBytes(StandardCharsets.UTF_8));
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
            channel.force(true);
        }
        Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    @Override
    public void close() throws IOException {
        guard.close();
    }
}
