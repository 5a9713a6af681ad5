package org.klangk.health.server.auth;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import org.klangk.health.random.Unguessable;
import org.klangk.health.server.config.ConfigException;

/** The server's data directory (0700) and the token in it (0600). Blocks; for the start of a process. */
public final class TokenFile {
    private static final Set<PosixFilePermission> DIRECTORY = PosixFilePermissions.fromString("rwx------");
    private static final Set<PosixFilePermission> FILE = PosixFilePermissions.fromString("rw-------");

    private TokenFile() {}

    /** Makes the data directory private, or makes it. */
    public static void prepare(Path dataDir) {
        try {
            Path parent = dataDir.toAbsolutePath().getParent();
            if (parent != null) {
                Files.createDirectories(parent);
            }
            if (!Files.exists(dataDir)) {
                Files.createDirectory(dataDir, PosixFilePermissions.asFileAttribute(DIRECTORY));
            }
            Files.setPosixFilePermissions(dataDir, DIRECTORY);
        } catch (IOException e) {
            throw new ConfigException(
                    "KLANGK_DATA_DIR=" + dataDir + ": a directory of one's own is accepted (" + e + ")");
        }
    }

    /** The token in {@code dataDir}, made when there is none. */
    public static String create(Path dataDir) {
        Path file = file(dataDir);
        try {
            if (Files.exists(file)) {
                Files.setPosixFilePermissions(file, FILE);
                String token = Files.readString(file).strip();
                if (!token.isEmpty()) {
                    return token;
                }
                Files.delete(file);
            }
            String token = Unguessable.hex(32);
            Files.createFile(file, PosixFilePermissions.asFileAttribute(FILE));
            Files.writeString(file, token + "\n", StandardOpenOption.WRITE);
            return token;
        } catch (IOException e) {
            throw new ConfigException("KLANGK_DATA_DIR=" + dataDir + ": the token cannot be kept there (" + e + ")");
        }
    }

    /**
     * The token of a server on this machine; empty when there is none that may be read.
     *
     * @throws IOException when it is there and cannot be read
     */
    public static String read(Path dataDir) throws IOException {
        try {
            return Files.readString(file(dataDir)).strip();
        } catch (NoSuchFileException e) {
            return "";
        }
    }

    private static Path file(Path dataDir) {
        return dataDir.resolve("token");
    }
}
