package org.klangk.health.server.monitor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A place in a file. */
class CursorTest {
    @TempDir
    private Path directory = Path.of("");

    @Test
    void what_is_written_is_read_and_nothing_is_the_beginning() throws IOException {
        Path file = directory.resolve("cursor");
        Place place = new Place("01ABC.42", Map.of("w1", 50L, "", 45L));
        try (Cursor cursor = Cursor.take(file)) {
            assertThat(cursor.read()).isEqualTo(Place.BEGINNING);
            cursor.write(place);
        }
        try (Cursor cursor = Cursor.take(file)) {
            assertThat(cursor.read()).isEqualTo(place);
        }
    }

    @Test
    void one_monitor_has_it_at_a_time() throws IOException {
        Path file = directory.resolve("cursor");
        try (Cursor first = Cursor.take(file)) {
            assertThat(first.read()).isEqualTo(Place.BEGINNING);
            assertThatThrownBy(() -> Cursor.take(file))
                    .isInstanceOf(Cursor.UnusableException.class)
                    .hasMessageContaining("another monitor uses it");
        }
        Cursor.take(file).close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "hello", "{}", "{\"position\":\"x\"}", "[1]", "{\"position\":"})
    void a_file_of_something_else_is_left_alone(String text) throws IOException {
        Path file = directory.resolve("cursor");
        Files.writeString(file, text);
        try (Cursor cursor = Cursor.take(file)) {
            assertThatThrownBy(cursor::read)
                    .isInstanceOf(Cursor.UnusableException.class)
                    .hasMessageContaining("not overwritten");
        }
        assertThat(file).hasContent(text);
        assertThatThrownBy(() -> Cursor.take(directory.resolve("no/such/cursor")))
                .isInstanceOf(Cursor.UnusableException.class);
    }
}
