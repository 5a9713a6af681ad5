package org.klangk.health.transport.journal;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/** The directory of a journal: private, and of one process at a time. Blocks. */
final class DataDirectory implements AutoCloseable {
    private static final Set<PosixFilePermission> PRIVATE = PosixFilePermissions.fromString("rwx------");

    private final Path path;
    private final FileChannel lock;

    private DataDirectory(Path path, FileChannel lock) {
        this.path = path;
        this.lock = lock;
    }

    /**
     * Takes the directory, which is made when there is none.
     *
     * @throws JournalException when another process has it, or it cannot be made private
     */
    static DataDirectory take(Path directory) {
        try {
            Files.createDirectories(directory, PosixFilePermissions.asFileAttribute(PRIVATE));
            Files.setPosixFilePermissions(directory, PRIVATE);
            Path lock = directory.resolve("lock");
            makePrivate(lock);
            FileChannel channel = FileChannel.open(lock, StandardOpenOption.WRITE);
            if (!locked(channel)) {
                channel.close();
                throw new JournalException(directory + " is in use by another klangkd; one server per directory is"
                        + " accepted (KLANGK_DATA_DIR names another)");
            }
            return new DataDirectory(directory, channel);
        } catch (IOException e) {
            throw new JournalException(directory + " cannot be used as data directory: " + e, e);
        }
    }

    private static boolean locked(FileChannel channel) throws IOException {
        try {
            return channel.tryLock() != null;
        } catch (OverlappingFileLockException e) {
            return false;
        }
    }

    Path path() {
        return path;
    }

    @Override
    public void close() {
        try {
            lock.close();
        } catch (IOException e) {
            throw new JournalException("the data directory cannot be given back: " + e, e);
        }
    }

    /** The journal's file in a data directory. */
    static Path file(Path directory) {
        return directory.resolve("journal.db");
    }

    /** Makes a file its owner's alone, or makes an empty one that is. */
    static void makePrivate(Path file) throws IOException {
        Set<PosixFilePermission> owner = PosixFilePermissions.fromString("rw-------");
        if (Files.exists(file)) {
            Files.setPosixFilePermissions(file, owner);
        } else {
            Files.createFile(file, PosixFilePermissions.asFileAttribute(owner));
        }
    }
}
