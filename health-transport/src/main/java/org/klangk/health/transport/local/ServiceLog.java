package org.klangk.health.transport.local;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What a service prints, in a file that is never larger than {@value #LIMIT} bytes and the one before it. */
final class ServiceLog {
    private static final long LIMIT = 1024 * 1024;
    private static final Logger log = LoggerFactory.getLogger(ServiceLog.class);

    private ServiceLog() {}

    /** Copies until the output ends; blocks. A service is drained even when its output cannot be kept. */
    static void keep(InputStream output, Path file) {
        byte[] buffer = new byte[8192];
        boolean writable = true;
        try (output) {
            for (int read = output.read(buffer); read >= 0; read = output.read(buffer)) {
                writable = writable && write(file, buffer, read);
            }
        } catch (IOException e) {
            log.debug("the output of a service broke: {}", e.toString());
        }
    }

    /** The end of what was kept, at most {@code bytes} of it; nothing where there is nothing. Blocks. */
    static byte[] tail(Path file, int bytes) throws IOException {
        ByteArrayOutputStream kept = new ByteArrayOutputStream();
        for (Path part : new Path[] {before(file), file}) {
            try (InputStream in = Files.newInputStream(part)) {
                in.transferTo(kept);
            } catch (NoSuchFileException e) {
                log.trace("nothing in {}", part);
            }
        }
        byte[] all = kept.toByteArray();
        return Arrays.copyOfRange(all, Math.max(0, all.length - bytes), all.length);
    }

    private static Path before(Path file) {
        return file.resolveSibling(file.getFileName() + ".1");
    }

    private static boolean write(Path file, byte[] bytes, int length) {
        try {
            if (Files.exists(file) && Files.size(file) + length > LIMIT) {
                Files.move(file, before(file), StandardCopyOption.REPLACE_EXISTING);
            }
            try (OutputStream out = Files.newOutputStream(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
                out.write(bytes, 0, length);
            }
            return true;
        } catch (IOException e) {
            log.warn("the output of a service is no longer kept: {}", e.toString());
            return false;
        }
    }
}
