package org.klangk.health.server.cli;

import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.klangk.health.runtime.ContainerRuntime;
import org.klangk.health.server.config.RuntimeKind;
import org.klangk.health.server.config.ServerConfig;
import org.klangk.health.server.demo.Demo;
import org.klangk.health.service.HealthService;
import org.klangk.health.transport.local.LocalRuntime;
import org.klangk.health.transport.podman.PodmanRuntime;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What runs the services, as configured or, where nothing was configured, as found.
 *
 * @param runtime it
 * @param podman the same where it is Podman, null otherwise
 * @param description one line for the log
 */
record ChosenRuntime(ContainerRuntime runtime, @Nullable PodmanRuntime podman, String description) {
    private static final Duration LOOK = Duration.ofSeconds(6);
    private static final Logger log = LoggerFactory.getLogger(ChosenRuntime.class);

    static ChosenRuntime by(ServerConfig settings) {
        if (settings.runtime() == RuntimeKind.LOCAL) {
            return local(settings);
        }
        PodmanRuntime podman = PodmanRuntime.serving(
                settings.podmanSocket(), settings.dataDir().resolve("services"));
        if (settings.runtime() == RuntimeKind.PODMAN || answers(podman)) {
            return new ChosenRuntime(podman, podman, "containers of " + settings.podmanSocket());
        }
        podman.close().block(LOOK);
        log.warn(
                "no Podman answers at {}, so services are processes of this machine; KLANGK_RUNTIME=podman waits for"
                        + " Podman instead",
                settings.podmanSocket());
        return local(settings);
    }

    private static boolean answers(PodmanRuntime podman) {
        try {
            return podman.ping().block(LOOK) != null;
        } catch (RuntimeException e) {
            log.debug("Podman does not answer: {}", e.toString());
            return false;
        }
    }

    private static ChosenRuntime local(ServerConfig settings) {
        Path directory = settings.dataDir().resolve("local");
        try {
            return new ChosenRuntime(
                    LocalRuntime.in(directory), null, "services are processes of this machine, in " + directory);
        } catch (IllegalStateException e) {
            throw new CliException(ExitCode.UNREACHABLE, String.valueOf(e.getMessage()));
        }
    }

    /** The demo, on this runtime. */
    Demo demo(HealthService health) {
        return podman == null ? Demo.locally(health) : Demo.on(health, podman.containers());
    }
}
