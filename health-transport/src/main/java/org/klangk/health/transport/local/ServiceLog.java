package org.klangk.health.transport.local;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
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

    private static boolean write(Path file, byte[] bytes, int length) {
        try {
            if (Files.exists(file) && Files.size(file) + length > LIMIT) {
                Files.move(file, file.resolveSibling(file.getFileName() + ".1"), StandardCopyOption.REPLACE_EXISTING);
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
