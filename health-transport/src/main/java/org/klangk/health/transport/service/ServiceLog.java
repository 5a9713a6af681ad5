package org.klangk.health.transport.service;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a service prints, in a file that is never larger than 1 MiB and the one before it. Methods block and may
 * be called on any thread. What cannot be written is told once in the log and lost: a service is drained all the same.
 */
public final class ServiceLog {
    private static final long LIMIT = 1024 * 1024;
    private static final Logger log = LoggerFactory.getLogger(ServiceLog.class);

    private final Path file;
    private boolean writable = true;

    /** @param file is made when there is something to write, its directory too */
    public ServiceLog(Path file) {
        this.file = file;
    }

    /** Copies until the output ends. */
    public void keep(InputStream output) {
        byte[] buffer = new byte[8192];
        try (output) {
            for (int read = output.read(buffer); read >= 0; read = output.read(buffer)) {
                write(buffer, 0, read);
            }
        } catch (IOException e) {
            log.debug("the output of a service broke: {}", e.toString());
        }
    }

    /** Adds a line of ours. */
    public void note(String line) {
        byte[] bytes = ("klangk: " + line + "\n").getBytes(StandardCharsets.UTF_8);
        write(bytes, 0, bytes.length);
    }

    /** Adds what the service printed. */
    public synchronized void write(byte[] bytes, int offset, int length) {
        if (!writable) {
            return;
        }
        try {
            if (Files.exists(file) && Files.size(file) + length > LIMIT) {
                Files.move(file, before(), StandardCopyOption.REPLACE_EXISTING);
            }
            try (OutputStream out = open()) {
                out.write(bytes, offset, length);
            }
        } catch (IOException e) {
            writable = false;
            log.warn("the output of a service is no longer kept: {}", e.toString());
        }
    }

    private OutputStream open() throws IOException {
        try {
            return Files.newOutputStream(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (NoSuchFileException e) {
            Files.createDirectories(file.toAbsolutePath().getParent());
            return Files.newOutputStream(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        }
    }

    /** The end of what was kept, at most {@code bytes} of it; nothing where there is nothing. */
    public byte[] tail(int bytes) throws IOException {
        ByteArrayOutputStream kept = new ByteArrayOutputStream();
        for (Path part : new Path[] {before(), file}) {
            try (InputStream in = Files.newInputStream(part)) {
                in.transferTo(kept);
            } catch (NoSuchFileException e) {
                log.trace("nothing in {}", part);
            }
        }
        byte[] all = kept.toByteArray();
        return Arrays.copyOfRange(all, Math.max(0, all.length - bytes), all.length);
    }

    /** Nothing is kept any more of what was, nor of what is still written here. */
    public synchronized void delete() {
        writable = false;
        try {
            Files.deleteIfExists(file);
            Files.deleteIfExists(before());
        } catch (IOException e) {
            log.warn("the output of a service is still there: {}", e.toString());
        }
    }

    private Path before() {
        return file.resolveSibling(file.getFileName() + ".1");
    }
}
