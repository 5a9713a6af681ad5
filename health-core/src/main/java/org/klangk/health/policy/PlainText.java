package org.klangk.health.policy;

import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;

/** Turns the raw end of some output into clean, short, harmless text. */
public final class PlainText {
    /** The most bytes of UTF-8 that a text may have, its leading mark included. */
    public static final int MAX_BYTES = 512;

    private static final String CUT = "...";
    private static final Pattern ESCAPES = Pattern.compile(
            // OSC, DCS, SOS, PM and APC strings up to BEL or ST; CSI sequences; any other two-character escape.
            "(?:\\x1B[\\]PX^_]|[\\x9D\\x90\\x98\\x9E\\x9F])[^\\x07\\x1B\\x9C]*(?:\\x07|\\x1B\\\\|\\x9C|$)"
                    + "|(?:\\x1B\\[|\\x9B)[0-?]*[ -/]*[@-~]?"
                    + "|\\x1B[ -/]*[0-~]?");
    private static final Pattern CONTROLS = Pattern.compile("[\\x00-\\x08\\x0B-\\x1F\\x7F-\\x9F]");

    private PlainText() {}

    /** The tail decoded, stripped, redacted and only then cut; empty when nothing printable is left. */
    public static String of(OutputTail tail, Redaction redaction) {
        String text = new String(tail.bytes(), StandardCharsets.UTF_8);
        if (tail.truncated()) {
            text = withoutFirstWord(text);
        }
        return cut(redaction.apply(strip(text)).strip());
    }

    /** Without escape sequences and control characters; newline and tab stay. */
    static String strip(String text) {
        return CONTROLS.matcher(ESCAPES.matcher(text).replaceAll("")).replaceAll("");
    }

    /** The last {@value #MAX_BYTES} bytes at a character boundary, marked when something is missing. */
    static String cut(String text) {
        if (text.getBytes(StandardCharsets.UTF_8).length <= MAX_BYTES) {
            return text;
        }
        int from = text.length();
        int bytes = CUT.length();
        while (from > 0) {
            int point = text.codePointBefore(from);
            int size = point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
            if (bytes + size > MAX_BYTES) {
                break;
            }
            bytes += size;
            from -= Character.charCount(point);
        }
        return CUT + text.substring(from);
    }

    /** What follows the first white space: the head of a cut text may be the end of a secret whose name is gone. */
    private static String withoutFirstWord(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (Character.isWhitespace(text.charAt(i))) {
                return text.substring(i);
            }
        }
        return text.length() > MAX_BYTES ? text.substring(text.length() - MAX_BYTES) : text;
    }
}
