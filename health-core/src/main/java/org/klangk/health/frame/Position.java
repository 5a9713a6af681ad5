package org.klangk.health.frame;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A place in the log of frames: everything up to and including {@code rev} is before it.
 *
 * @param epoch identity of the log
 * @param rev number of a frame in it, 0 before the first
 */
public record Position(String epoch, long rev) {
    private static final Pattern TEXT = Pattern.compile("([0-9A-Za-z]{1,64})\\.(\\d{1,18})");

    /** Of a frame that is not numbered yet. */
    public static final Position NONE = new Position("", 0);

    /**
     * Reads {@code epoch.rev}.
     *
     * @throws IllegalArgumentException when {@code text} has another form
     */
    public static Position parse(String text) {
        Matcher matcher = TEXT.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException("position: <epoch>.<rev> is accepted");
        }
        return new Position(matcher.group(1), Long.parseLong(matcher.group(2)));
    }

    /** {@code epoch.rev}. */
    @Override
    public String toString() {
        return epoch + "." + rev;
    }
}
