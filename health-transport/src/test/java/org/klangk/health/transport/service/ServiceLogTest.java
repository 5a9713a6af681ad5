package org.klangk.health.transport.service;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The log of a service. */
class ServiceLogTest {
    @TempDir
    private Path directory = Path.of("replaced");

    @Test
    void what_is_still_said_of_a_service_after_its_log_was_deleted_brings_it_not_back() throws IOException {
        ServiceLog log = new ServiceLog(directory.resolve("services/w1.log"));
        log.note("started");
        assertThat(new String(log.tail(100), StandardCharsets.UTF_8)).isEqualTo("klangk: started\n");
        log.delete();
        log.note("ended with exit code 143");
        assertThat(directory.resolve("services")).isEmptyDirectory();
        ServiceLog next = new ServiceLog(directory.resolve("services/w1.log"));
        next.note("started");
        assertThat(next.tail(3)).isEqualTo(new byte[] {'e', 'd', '\n'});
    }
}
