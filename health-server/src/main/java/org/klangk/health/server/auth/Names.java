package org.klangk.health.server.auth;

/** Text that somebody gave, fit to be shown. Pure. */
final class Names {
    private static final int LONGEST = 80;

    private Names() {}

    /** Cut, and without what a terminal or a log would obey. */
    static String shown(String text) {
        String cut = text.length() > LONGEST ? text.substring(0, LONGEST) + "…" : text;
        return cut.replaceAll("\\p{Cntrl}", "?");
    }
}
