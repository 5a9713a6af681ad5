package org.klangk.health.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EntityTagsTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\'',
            value = {
                "W/\"E.1\" | true",
                "\"E.1\" | true",
                "* | true",
                "\"a\",W/\"E.1\" | true",
                "\"a\" ,  \"E.1\" | true",
                "W/\"E.12\" | false",
                "E.1 | false",
                "'' | false",
            })
    void an_entity_tag_is_looked_for_among_those_a_client_has(String header, boolean found) {
        assertThat(EntityTags.among(header, "W/\"E.1\"")).isEqualTo(found);
    }

    @Test
    void no_header_means_none() {
        assertThat(EntityTags.among(null, "W/\"E.1\"")).isFalse();
    }
}
