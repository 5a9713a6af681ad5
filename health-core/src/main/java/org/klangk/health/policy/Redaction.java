package org.klangk.health.policy;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** Replaces secrets in text by {@code ***}. Immutable; may be used on any thread. */
public final class Redaction {
    private record Rule(Pattern pattern, String replacement) {}

    private static final String NAME = "[\\w.-]*(?:password|passwd|secret|token|api[_-]?key|credential)[\\w.-]*";
    private static final String VALUE = "(?:\"(?:[^\"\\\\\\n]|\\\\.)*\"?|'[^'\\n]*'?|[^\\s,;&\"']+)";
    private static final int FLAGS = Pattern.CASE_INSENSITIVE;
    private static final List<Rule> BUILT_IN = List.of(
            // PEM blocks, also those whose beginning or end was cut off.
            rule("-----BEGIN [A-Z0-9 ]+-----[\\s\\S]*?(?:-----END [A-Z0-9 ]+-----|\\z)", "***"),
            rule("\\A[A-Za-z0-9+/=\\s]*-----END [A-Z0-9 ]+-----", "***"),
            // Header values: everything to the end of the line or of the quoted string.
            rule("\\b((?:proxy-)?authorization|(?:set-)?cookie)(\"?\\s*[:=]\\s*\"?)[^\\n\"]+", "$1$2***"),
            // Credentials in URLs.
            rule("\\b([a-z][a-z0-9+.-]*://)[^\\s/@\"']+@", "$1***@"),
            // "name":"value" in JSON, also with escaped quotes; then name=value and name: value; then --name value.
            rule(
                    "(\\\\?[\"'])(" + NAME + ")(\\\\?[\"']\\s*:\\s*)(?:\\\\?\"(?:[^\"\\\\\\n]|\\\\[^\"])*\\\\?\"?|"
                            + VALUE + ")",
                    "$1$2$3***"),
            rule("(?<![\\w.-])(" + NAME + ")(\\s*[=:]\\s*)" + VALUE, "$1$2***"),
            rule("(--?" + NAME + ")(\\s+)" + VALUE, "$1$2***"),
            // mysql clients take the password glued to -p.
            rule("\\b((?:mysql|mariadb)[\\w-]*\\b[^\\n|;&]*?\\s-p)(?:\"[^\"]*\"?|'[^']*'?|[^\\s'\"]+)", "$1***"),
            rule("\\b(bearer|basic)(\\s+)[A-Za-z0-9._~+/=-]{6,}", "$1$2***"),
            // JWTs and the well-known prefixes of keys.
            new Rule(Pattern.compile("\\beyJ[A-Za-z0-9_-]{5,}\\.[A-Za-z0-9_-]*(?:\\.[A-Za-z0-9_-]*)?"), "***"),
            new Rule(
                    Pattern.compile(
                            "\\b(?:sk-|sk_live_|sk_test_|rk_live_|pk_live_|ghp_|gho_|ghu_|ghs_|ghr_|github_pat_|glpat-"
                                    + "|xox[abeoprs]-|AKIA|ASIA|AIza|hf_|npm_|pypi-|dop_v1_|SG\\.)[A-Za-z0-9._-]{8,}"),
                    "***"));

    private final List<Rule> rules;

    private Redaction(List<Rule> rules) {
        this.rules = rules;
    }

    private static Rule rule(String regex, String replacement) {
        return new Rule(Pattern.compile(regex, FLAGS), replacement);
    }

    /** The built-in rules. */
    public static Redaction standard() {
        return new Redaction(BUILT_IN);
    }

    /** These rules and one more pattern, whose whole match is replaced. */
    public Redaction and(Pattern secret) {
        List<Rule> more = new ArrayList<>(rules);
        more.add(new Rule(secret, "***"));
        return new Redaction(List.copyOf(more));
    }

    /** {@code text} without its secrets. */
    public String apply(String text) {
        String clean = text;
        for (Rule rule : rules) {
            clean = rule.pattern().matcher(clean).replaceAll(rule.replacement());
        }
        return clean;
    }
}
