package org.klangk.health.server.cli;

import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.klangk.health.journal.Journal;
import org.klangk.health.server.auth.AccountStore;
import org.klangk.health.server.auth.Accounts;
import org.klangk.health.server.auth.Authenticator;
import org.klangk.health.server.auth.TokenFile;
import org.klangk.health.server.config.ConfigException;
import org.klangk.health.server.config.ConfigReader;
import org.klangk.health.server.config.RuntimeKind;
import org.klangk.health.server.config.ServerConfig;
import org.klangk.health.server.demo.Demo;
import org.klangk.health.server.http.HealthServer;
import org.klangk.health.server.source.WorkspaceFile;
import org.klangk.health.service.HealthService;
import org.klangk.health.service.HealthServiceBuilder;
import org.klangk.health.transport.journal.SqliteJournal;
import org.klangk.health.transport.wire.WireText;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Runs the server. */
@Command(
        name = "serve",
        description = "Runs the server until it is told to stop (SIGTERM or Ctrl-C).",
        footerHeading =
                "%nSettings (environment; then the file's key without KLANGK_, in lower case; then the default):%n",
        footer = {
            "  KLANGK_LISTEN                       127.0.0.1:8997",
            "  KLANGK_HOSTS                        further host names it may be asked by",
            "  KLANGK_DATA_DIR                     ~/.local/state/klangk-health",
            "  KLANGK_RUNTIME                      podman, or local: services as processes of this machine;",
            "                                      unless set, local where no Podman answers",
            "  KLANGK_PODMAN_SOCKET                $XDG_RUNTIME_DIR/podman/podman.sock, /run/podman/podman.sock",
            "  KLANGK_AUTH                         local (a token in the data directory), password (users: klangkd user) or",
            "                                      none (loopback only)",
            "  KLANGK_TLS_CERT, KLANGK_TLS_KEY     PEM files: serves https and wss",
            "  KLANGK_MAX_WORKSPACES_PER_USER      100: how many a user who is no administrator may own",
            "  KLANGK_MAX_STREAMS_PER_USER         100",
            "  KLANGK_LABELS                       false; true: containers with labels klangk.workspace=NAME and",
            "                                      klangk.health-check=COMMAND are watched",
            "  KLANGK_LABELS_RETENTION             24h: how long such a container may be gone before that ends",
            "  KLANGK_ALLOW_AUTOSTART              false; true: services of workspaces with auto_start are started",
            "                                      with the server",
            "  KLANGK_WORKSPACES                   a YAML file of workspaces, read again whenever it changes and at SIGHUP",
            "  KLANGK_HEALTH_CHECK_INTERVAL        30s",
            "  KLANGK_HEALTH_CHECK_TIMEOUT         10s",
            "  KLANGK_HEALTH_CHECK_STARTUP_GRACE   30s",
            "  KLANGK_HEALTH_START_INTERVAL        2s",
            "  KLANGK_HEALTH_PROBE                 session; or exec",
            "  KLANGK_HEALTH_MAX_CONCURRENT        execs that may be starting at once (one per core)",
            "  KLANGK_RETENTION_RESULTS            7d: how long results are kept",
            "  KLANGK_RETENTION_HISTORY            90d: how long everything else of the past is kept",
            "  KLANGK_JOURNAL_MAX_SIZE             1g: how large the journal may become; the oldest goes first",
            "",
            "Example: klangkd serve --demo"
        })
final class ServeCommand implements Callable<Integer> {
    private static final Logger log = LoggerFactory.getLogger(ServeCommand.class);
    private static final Duration START = Duration.ofSeconds(30);
    private static final Duration STOP = Duration.ofSeconds(20);

    @Option(names = "--config", paramLabel = "FILE", description = "A YAML file of settings.")
    private @Nullable Path config;

    @Option(
            names = "--demo",
            description = "Three small services that become healthy, flap and die, and every frame of them.")
    private boolean demo;

    @Override
    public Integer call() throws InterruptedException {
        ServerConfig asked = ConfigReader.read(System.getenv(), config);
        TokenFile.prepare(asked.dataDir());
        ChosenRuntime runtime = ChosenRuntime.by(asked);
        ServerConfig settings = asked.with(runtime.podman() == null ? RuntimeKind.LOCAL : RuntimeKind.PODMAN);
        HealthServiceBuilder builder = HealthService.builder()
                .runtime(runtime.runtime())
                .journal(demo ? Journal.inMemory() : SqliteJournal.in(settings.dataDir(), settings.retention()))
                .defaults(settings.defaults())
                .autoStart(settings.autoStart())
                .maxConcurrent(settings.maxConcurrent());
        if (settings.labels() != null) {
            builder.labels(settings.labels());
        }
        HealthService health = builder.build();
        health.start().block(START);
        if (settings.workspaces() != null) {
            follow(settings.workspaces(), health);
        }
        Authenticator authenticator = authenticator(settings, health);
        HealthServer server = listen(settings, health, authenticator);
        announce(settings, runtime, server.address());
        CountDownLatch stopped = new CountDownLatch(1);
        Demo shown = demo ? DemoScreen.start(runtime.demo(health), health, server.address()) : null;
        Runtime.getRuntime()
                .addShutdownHook(new Thread(
                        () -> {
                            stop(shown, server, stopped);
                            if (authenticator instanceof Accounts accounts) {
                                accounts.close();
                            }
                        },
                        "klangk-shutdown"));
        stopped.await();
        return ExitCode.OK;
    }

    /** A file that cannot be accepted at the start stops it: nobody would look at the log. */
    private static void follow(Path file, HealthService health) {
        try {
            WorkspaceFile followed = WorkspaceFile.follow(file, health).block(START);
            if (followed != null) {
                Hangup.handle(followed::readAgain);
            }
        } catch (WorkspaceFile.UnacceptableException e) {
            health.stop().block(STOP);
            throw new ConfigException("KLANGK_WORKSPACES: " + e.getMessage());
        }
    }

    private static Authenticator authenticator(ServerConfig settings, HealthService health) {
        return switch (settings.auth()) {
            case NONE -> Authenticator.none();
            case LOCAL -> Authenticator.local(TokenFile.create(settings.dataDir()));
            case PASSWORD -> accounts(settings, health);
        };
    }

    private static Accounts accounts(ServerConfig settings, HealthService health) {
        Accounts accounts = Accounts.of(AccountStore.open(settings.dataDir()));
        accounts.follow(health::position).block(START);
        if (accounts.isEmpty()) {
            log.warn("there are no users yet: klangkd user add NAME --admin makes one");
        }
        return accounts;
    }

    private static HealthServer listen(ServerConfig settings, HealthService health, Authenticator authenticator) {
        try {
            HealthServer server =
                    HealthServer.start(settings, health, authenticator).block(START);
            if (server == null) {
                throw new IllegalStateException("the server did not start");
            }
            return server;
        } catch (ConfigException e) {
            health.stop().block(STOP);
            throw e;
        } catch (RuntimeException e) {
            health.stop().block(STOP);
            throw new CliException(
                    ExitCode.UNREACHABLE,
                    "KLANGK_LISTEN=" + text(settings.listen()) + " cannot be listened on: " + Connection.describe(e));
        }
    }

    private static void announce(ServerConfig settings, ChosenRuntime runtime, InetSocketAddress address) {
        log.info("listening on {}://{}", settings.tls() == null ? "http" : "https", text(address));
        if (settings.tls() == null && !address.getAddress().isLoopbackAddress()) {
            log.warn(
                    "others on the way can read passwords and tokens: KLANGK_TLS_CERT and KLANGK_TLS_KEY keep them out");
        }
        log.info("{}", runtime.description());
        log.info("data in {}, authentication {}", settings.dataDir(), WireText.word(settings.auth()));
    }

    static String text(InetSocketAddress address) {
        String host = address.getAddress().getHostAddress();
        return (host.contains(":") ? "[" + host + "]" : host) + ":" + address.getPort();
    }

    private static void stop(@Nullable Demo demo, HealthServer server, CountDownLatch stopped) {
        log.info("stopping");
        try {
            if (demo != null) {
                demo.stop().block(STOP);
            }
            server.stop().block(STOP);
        } catch (RuntimeException e) {
            log.error("did not stop cleanly", e);
        } finally {
            stopped.countDown();
        }
    }
}
