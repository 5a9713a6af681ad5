package org.klangk.health.transport.journal;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.klangk.health.frame.Position;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How far the journal was written, in a small file beside it: an older copy of the journal put in its place is behind it. Written
 * after each commit and not forced to disk, so it may be behind the journal itself, never ahead. Blocks; one thread at a time.
 */
final class HighWaterMark implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(HighWaterMark.class);
    private static final Pattern TEXT = Pattern.compile("(\\S+) +(\\d{1,18}) (\\d{1,18})\\s*");

    /**
     * A mark.
     *
     * @param epoch the log
     * @param rev its last frame
     * @param number its last event
     */
    record Mark(String epoch, long rev, long number) {}

    private final RandomAccessFile file;

    private HighWaterMark(RandomAccessFile file) {
        this.file = file;
    }

    private static Path file(Path directory) {
        return directory.resolve("journal.mark");
    }

    private static Optional<Mark> read(Path directory) throws IOException {
        if (!Files.exists(file(directory))) {
            return Optional.empty();
        }
        Matcher matcher = TEXT.matcher(Files.readString(file(directory), StandardCharsets.UTF_8));
        return matcher.matches()
                ? Optional.of(
                        new Mark(matcher.group(1), Long.parseLong(matcher.group(2)), Long.parseLong(matcher.group(3))))
                : Optional.empty();
    }

    /** Whether a journal that is at this place is the one that was written last, as far as the mark knows, and all of it. */
    static boolean isReached(Path directory, Position position, long number) throws IOException {
        Optional<Mark> last = read(directory);
        if (last.isEmpty()) {
            log.warn("nothing says how far the journal in {} was written; positions of before are void", directory);
            return false;
        }
        Mark mark = last.get();
        if (!mark.epoch().equals(position.epoch())) {
            log.warn("the journal in {} is not the one that was written last; positions of before are void", directory);
            return false;
        }
        if (mark.rev() > position.rev() || mark.number() > number) {
            log.warn(
                    "the journal in {} lacks {} events and {} frames that were written; positions of before are void",
                    directory,
                    Math.max(0, mark.number() - number),
                    Math.max(0, mark.rev() - position.rev()));
            return false;
        }
        return true;
    }

    static HighWaterMark open(Path directory) throws IOException {
        DataDirectory.makePrivate(file(directory));
        return new HighWaterMark(new RandomAccessFile(file(directory).toFile(), "rw"));
    }

    /** Of one width, so that it is replaced in one write. */
    void set(Mark mark) throws IOException {
        byte[] text = "%-32s %018d %018d%n"
                .formatted(mark.epoch(), mark.rev(), mark.number())
                .getBytes(StandardCharsets.UTF_8);
        file.seek(0);
        file.write(text);
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
