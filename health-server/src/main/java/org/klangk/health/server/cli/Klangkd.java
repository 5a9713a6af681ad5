package org.klangk.health.server.cli;

import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.klangk.health.server.auth.Authenticator;
import org.klangk.health.server.auth.TokenFile;
import org.klangk.health.server.config.AuthMode;
import org.klangk.health.server.config.ConfigReader;
import org.klangk.health.server.config.ServerConfig;
import org.klangk.health.server.http.HealthServer;
import org.klangk.health.service.HealthService;
import org.klangk.health.transport.podman.PodmanRuntime;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The server's command line. */
@Command(
        name = "klangkd",
        description = "Serves the health of services in containers.",
        mixinStandardHelpOptions = true,
        scope = CommandLine.ScopeType.INHERIT,
        versionProvider = Version.class,
        subcommands = Klangkd.Serve.class)
public final class Klangkd implements Callable<Integer> {
    @CommandLine.Spec
    private CommandLine.Model.@Nullable CommandSpec spec;

    /** Runs the command line and exits with its code. */
    public static void main(String[] arguments) {
        System.exit(Launch.run(new Klangkd(), arguments));
    }

    @Override
    public Integer call() {
        return Launch.usage(spec);
    }

    @Command(
            name = "serve",
            description = "Runs the server until it is told to stop (SIGTERM or Ctrl-C).",
            footerHeading =
                    "%nSettings (environment; then the file's key without KLANGK_, in lower case; then the default):%n",
            footer = {
                "  KLANGK_LISTEN                       127.0.0.1:8997",
                "  KLANGK_HOSTS                        further host names it may be asked by",
                "  KLANGK_DATA_DIR                     ~/.local/state/klangk-health",
                "  KLANGK_PODMAN_SOCKET                $XDG_RUNTIME_DIR/podman/podman.sock, /run/podman/podman.sock",
                "  KLANGK_AUTH                         local (a token in the data directory) or none",
                "  KLANGK_HEALTH_CHECK_INTERVAL        30s",
                "  KLANGK_HEALTH_CHECK_TIMEOUT         10s",
                "  KLANGK_HEALTH_CHECK_STARTUP_GRACE   30s",
                "  KLANGK_HEALTH_START_INTERVAL        2s",
                "  KLANGK_HEALTH_PROBE                 exec",
                "  KLANGK_HEALTH_MAX_CONCURRENT        checks that may be starting at once (one per core)"
            })
    static final class Serve implements Callable<Integer> {
        private static final Logger log = LoggerFactory.getLogger(Serve.class);
        private static final Duration START = Duration.ofSeconds(30);
        private static final Duration STOP = Duration.ofSeconds(20);

        @Option(names = "--config", paramLabel = "FILE", description = "A YAML file of settings.")
        private @Nullable Path config;

        @Override
        public Integer call() throws InterruptedException {
            ServerConfig settings = ConfigReader.read(System.getenv(), config);
            TokenFile.prepare(settings.dataDir());
            Authenticator authenticator = settings.auth() == AuthMode.NONE
                    ? Authenticator.none()
                    : Authenticator.local(TokenFile.create(settings.dataDir()));
            HealthService health = HealthService.builder()
                    .runtime(PodmanRuntime.connect(settings.podmanSocket()))
                    .defaults(settings.defaults())
                    .maxConcurrent(settings.maxConcurrent())
                    .build();
            health.start().block(START);
            HealthServer server = listen(settings, health, authenticator);
            announce(settings, server.address());
            CountDownLatch stopped = new CountDownLatch(1);
            Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(server, stopped), "klangk-shutdown"));
            stopped.await();
            return ExitCode.OK;
        }

        private static HealthServer listen(ServerConfig settings, HealthService health, Authenticator authenticator) {
            try {
                HealthServer server =
                        HealthServer.start(settings, health, authenticator).block(START);
                if (server == null) {
                    throw new IllegalStateException("the server did not start");
                }
                return server;
            } catch (RuntimeException e) {
                health.stop().block(STOP);
                throw new CliException(
                        ExitCode.UNREACHABLE,
                        "KLANGK_LISTEN=" + text(settings.listen()) + " cannot be listened on: "
                                + Connection.describe(e));
            }
        }

        private static void announce(ServerConfig settings, InetSocketAddress address) {
            log.info("listening on http://{}", text(address));
            log.info("containers of {}", settings.podmanSocket());
            log.info(
                    "data in {}, authentication {}",
                    settings.dataDir(),
                    settings.auth() == AuthMode.NONE ? "none" : "local");
        }

        private static String text(InetSocketAddress address) {
            String host = address.getAddress().getHostAddress();
            return (host.contains(":") ? "[" + host + "]" : host) + ":" + address.getPort();
        }

        private static void stop(HealthServer server, CountDownLatch stopped) {
            log.info("stopping");
            try {
                server.stop().block(STOP);
            } catch (RuntimeException e) {
                log.error("did not stop cleanly", e);
            } finally {
                stopped.countDown();
            }
        }
    }
}
