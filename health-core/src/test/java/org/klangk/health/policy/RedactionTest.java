package org.klangk.health.policy;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RedactionTest {
    private final Redaction redaction = Redaction.standard();

    @ParameterizedTest
    @ValueSource(
            strings = {
                "postgres://u:S3cret@h/db",
                "redis://:S3cret@h:6379",
                "Authorization: Bearer S3cret",
                "authorization: Basic S3cret==",
                "curl -H \"Authorization: Bearer S3cret\" http://x",
                "Cookie: session=S3cret; other=S3cret",
                "{\"Authorization\":\"Bearer S3cret\"}",
                "mysqladmin -pS3cret ping",
                "mysql -u root -pS3cret -h db",
                "mariadb --password=S3cret",
                "password=S3cret",
                "DB_PASSWORD = S3cret",
                "db.passwd: S3cret",
                "{\"api_key\":\"S3cret\",\"a\":1}",
                "{\\\"api_key\\\":\\\"S3cret\\\"}",
                "api-key: 'S3cret and more S3cret'",
                "--token S3cret",
                "--client-secret=S3cret",
                "credential: \"S3cret\"",
                "AWS_SECRET_ACCESS_KEY=S3cret",
                "-----BEGIN PRIVATE KEY-----\nS3cret\n-----END PRIVATE KEY-----",
                "S3cret\n-----END RSA PRIVATE KEY-----",
                "-----BEGIN OPENSSH PRIVATE KEY-----\nS3cret",
                "eyJhbGciOiJI.S3cret.S3cret",
                "sk-S3cretS3cretS3cret",
                "ghp_S3cretS3cretS3cret",
                "xoxb-S3cretS3cretS3cret",
            })
    void no_secret_is_left(String text) {
        assertThat(redaction.apply(text)).doesNotContain("S3cret").contains("***");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "exited 7: connection refused",
                "curl: (7) Failed to connect to localhost port 8080",
                "http://localhost:8080/health answered 503",
                "bash: line 1: redis-cli: command not found",
                "tokenizer ready",
                "the secretary is out",
                "user@example.org",
            })
    void ordinary_text_stays(String text) {
        assertThat(redaction.apply(text)).isEqualTo(text);
    }

    @Test
    void what_surrounds_a_secret_stays() {
        assertThat(redaction.apply("connect postgres://u:p@h/db failed"))
                .isEqualTo("connect postgres://***@h/db failed");
        assertThat(redaction.apply("password=abc retry=3")).isEqualTo("password=*** retry=3");
        assertThat(redaction.apply("a\nAuthorization: Bearer x\nb")).isEqualTo("a\nAuthorization: ***\nb");
    }

    @Test
    void a_pattern_of_ones_own_is_a_secret_too() {
        assertThat(redaction.and(Pattern.compile("ACME-\\d+")).apply("key ACME-123 used"))
                .isEqualTo("key *** used");
    }

    @ParameterizedTest
    @CsvSource({"a b, a b", "'a\tb\nc', 'a\tb\nc'"})
    void plain_text_is_left_as_it_is(String text, String right) {
        assertThat(PlainText.strip(text)).isEqualTo(right);
    }

    @Test
    void escape_sequences_and_control_characters_are_stripped() {
        assertThat(PlainText.strip(
                        "a\u001b[31;1mb\u001b[0m\u001b]52;c;AAAA\u0007c\u001b]0;t\u001b\\d\r\u0000\u009b1me"))
                .isEqualTo("abcde");
        assertThat(PlainText.strip("\u001bP1$r\u001b\\x\u001b(By\u0085\u007f")).isEqualTo("xy");
    }

    @Test
    void a_cut_is_at_a_character_boundary_marked_and_within_the_limit() {
        for (String character : new String[] {"a", "ä", "€", "😀"}) {
            String cut = PlainText.cut(character.repeat(600));
            assertThat(cut).startsWith("..." + character).doesNotContain("\uFFFD");
            assertThat(cut.getBytes(StandardCharsets.UTF_8)).hasSizeBetween(509, 512);
        }
        assertThat(PlainText.cut("x".repeat(512))).isEqualTo("x".repeat(512));
    }

    @Test
    void a_secret_is_redacted_before_the_cut() {
        OutputTail tail = new OutputTail();
        byte[] bytes = ("password=" + "S".repeat(600)).getBytes(StandardCharsets.UTF_8);
        tail.append(bytes, 0, bytes.length);
        assertThat(PlainText.of(tail, redaction)).isEqualTo("password=***");
    }

    @Test
    void the_head_of_a_cut_flood_is_not_shown_for_its_name_may_be_gone() {
        OutputTail tail = new OutputTail();
        byte[] secret = ("password=" + "S".repeat(OutputTail.LIMIT) + " end").getBytes(StandardCharsets.UTF_8);
        tail.append(secret, 0, secret.length);
        assertThat(PlainText.of(tail, redaction)).isEqualTo("end");
    }

    @Test
    void a_tail_holds_the_last_bytes_whatever_pieces_they_come_in() {
        StringBuilder all = new StringBuilder();
        OutputTail tail = new OutputTail();
        for (int i = 0; i < 5000; i++) {
            byte[] piece = (i + ";").repeat(1 + i % 7).getBytes(StandardCharsets.US_ASCII);
            all.append(new String(piece, StandardCharsets.US_ASCII));
            tail.append(piece, 0, piece.length);
        }
        assertThat(new String(tail.bytes(), StandardCharsets.US_ASCII))
                .isEqualTo(all.substring(all.length() - OutputTail.LIMIT));
        assertThat(tail.truncated()).isTrue();
    }
}
