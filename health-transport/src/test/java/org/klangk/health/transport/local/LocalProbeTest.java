package org.klangk.health.transport.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.klangk.health.probe.Probe;
import org.klangk.health.probe.ProbeRequest;
import org.klangk.health.probe.ProbeResult;
import org.klangk.health.transport.check.ProbeConformance;
import org.klangk.health.workspace.HealthCheck;
import org.klangk.health.workspace.ProbeKind;
import org.klangk.health.workspace.WorkspaceId;

@Tag("long")
class LocalProbeTest extends ProbeConformance {
    private static final WorkspaceId ID = new WorkspaceId("w1");

    @TempDir
    static Path directory;

    private static @Nullable LocalRuntime runtime;

    @BeforeAll
    static void start() {
        runtime = LocalRuntime.in(directory);
    }

    @AfterAll
    static void close() {
        runtime().close().block(LONG);
    }

    private static LocalRuntime runtime() {
        return Objects.requireNonNull(runtime);
    }

    @Override
    protected Probe probe() {
        return runtime().probe(ProbeKind.EXEC);
    }

    @Override
    protected ProbeRequest request(String command, Duration timeout) {
        return new ProbeRequest(ID, LocalRuntime.MACHINE, 1, new HealthCheck(command), null, null, null, timeout, LONG);
    }

    private static String home() {
        return directory.resolve("w1").resolve("home").toString();
    }

    @Override
    protected List<String> leftovers() {
        return Processes.with("HOME=" + home());
    }

    @Override
    protected void inside(String shell) {
        Processes.run(Map.of("HOME", home()), shell);
    }

    @Test
    void the_environment_is_the_servers_without_its_settings_and_home_is_the_workspaces_directory() {
        String seen = message("env | grep -E '^(KLANGK.*|HOME|PWD|SHLVL)=' >&2; exit 1");
        assertThat(Objects.requireNonNull(seen).replace("exited 1: ", "").lines())
                .satisfiesExactlyInAnyOrder(
                        line -> assertThat(line).matches("KLANGK_CHECK_ID=[0-9a-f]{32}"),
                        line -> assertThat(line).isEqualTo("HOME=" + home()),
                        line -> assertThat(line).isEqualTo("PWD=" + home()),
                        line -> assertThat(line).isEqualTo("SHLVL=1"));
    }

    @Test
    void a_working_directory_that_is_not_there_could_not_run() {
        ProbeRequest request = new ProbeRequest(
                ID, LocalRuntime.MACHINE, 1, new HealthCheck("true"), null, null, "/no/such", LONG, LONG);
        assertThat(judged(request).message())
                .isEqualTo("could not run: working directory '/no/such' cannot be entered");
    }

    @Test
    void a_service_that_does_not_run_gives_no_result() {
        ProbeRequest request = new ProbeRequest(ID, "w1", 1, new HealthCheck("true"), null, null, null, LONG, LONG);
        assertThat(run(request)).isInstanceOf(ProbeResult.NoResult.class);
    }
}
