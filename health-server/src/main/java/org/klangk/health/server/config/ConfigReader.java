package org.klangk.health.server.config;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.klangk.health.transport.journal.Retention;
import org.klangk.health.workspace.CheckPolicy;
import org.klangk.health.workspace.HealthDefaults;
import org.klangk.health.workspace.ProbeKind;

/** Reads the server's settings. Pure, apart from the configuration file and looking whether a socket exists. */
public final class ConfigReader {
    private static final Duration DAY = Duration.ofDays(1);
    private static final int PORT = 8997;

    private static final Pattern SIZE = Pattern.compile("(\\d{1,6})([mgtMGT])");

    private ConfigReader() {}

    /**
     * The settings.
     *
     * @param environment the process's environment
     * @param config the configuration file, null when there is none
     * @throws ConfigException when a value cannot be used
     */
    public static ServerConfig read(Map<String, String> environment, @Nullable Path config) {
        Settings settings = new Settings(environment, config);
        HealthDefaults defaults = defaults(settings);
        ServerConfig read = new ServerConfig(
                settings.get(
                        "listen",
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), PORT),
                        "address:port, such as 127.0.0.1:8997 or [::1]:8997,",
                        ConfigReader::address),
                settings.get("hosts", Set.of(), "a list of host names", ConfigReader::names),
                dataDir(settings, environment),
                runtime(settings),
                settings.get("podman_socket", podmanSocket(environment), "a path", Path::of),
                settings.word("auth", AuthMode.LOCAL, List.of(AuthMode.values())),
                defaults,
                retention(settings),
                new Limits(
                        number(settings, "max_workspaces_per_user", 100, 100_000),
                        number(settings, "max_streams_per_user", 100, 100_000)),
                tls(settings),
                labels(settings),
                settings.given("workspaces", "a path", Path::of).orElse(null),
                flag(settings, "allow_autostart"),
                number(settings, "health_max_concurrent", Runtime.getRuntime().availableProcessors(), 1000));
        settings.refuseUnknown();
        if (read.auth() == AuthMode.NONE && !read.listen().getAddress().isLoopbackAddress()) {
            throw new ConfigException("KLANGK_AUTH=none: with KLANGK_LISTEN="
                    + read.listen().getAddress().getHostAddress()
                    + " local or password is accepted; without authentication only loopback is listened on");
        }
        return read;
    }

    /** Who names Podman's socket wants Podman, whether it answers now or not. */
    private static @Nullable RuntimeKind runtime(Settings settings) {
        return settings.word("runtime", List.of(RuntimeKind.values()))
                .orElse(settings.has("podman_socket") ? RuntimeKind.PODMAN : null);
    }

    private static HealthDefaults defaults(Settings settings) {
        HealthDefaults standard = HealthDefaults.standard();
        CheckPolicy policy = standard.policy();
        return new HealthDefaults(
                new CheckPolicy(
                        settings.duration("health_check_interval", policy.interval(), Duration.ofSeconds(1), DAY),
                        settings.duration(
                                "health_check_timeout", policy.timeout(), Duration.ofMillis(1), Duration.ofMinutes(5)),
                        settings.duration("health_check_startup_grace", policy.startupGrace(), Duration.ZERO, DAY),
                        settings.duration("health_start_interval", policy.startInterval(), Duration.ofMillis(100), DAY),
                        policy.failuresBeforeUnhealthy(),
                        policy.successesBeforeHealthy()),
                settings.word("health_probe", standard.probe(), List.of(ProbeKind.values())));
    }

    private static int number(Settings settings, String key, int otherwise, int most) {
        return settings.get(key, otherwise, "a whole number from 1 to " + most, text -> {
            int value = Integer.parseInt(text);
            return value < 1 || value > most ? null : value;
        });
    }

    /** Files that are missing are told here, and not when the first client connects. */
    private static @Nullable Tls tls(Settings settings) {
        Optional<Path> certificate = readable(settings, "tls_cert");
        Optional<Path> key = readable(settings, "tls_key");
        if (certificate.isPresent() != key.isPresent()) {
            throw new ConfigException(
                    certificate.isPresent()
                            ? "KLANGK_TLS_CERT=" + certificate.get() + ": KLANGK_TLS_KEY is needed too"
                            : "KLANGK_TLS_KEY=" + key.orElseThrow() + ": KLANGK_TLS_CERT is needed too");
        }
        return certificate.isPresent() ? new Tls(certificate.get(), key.orElseThrow()) : null;
    }

    private static @Nullable Duration labels(Settings settings) {
        Duration retention = settings.duration("labels_retention", DAY, Duration.ofSeconds(1), Duration.ofDays(3_660));
        return flag(settings, "labels") ? retention : null;
    }

    private static boolean flag(Settings settings, String key) {
        return settings.get(key, false, "true or false", text -> switch (text.toLowerCase(Locale.ROOT)) {
            case "true", "on", "1", "yes" -> true;
            case "false", "off", "0", "no" -> false;
            default -> null;
        });
    }

    private static Optional<Path> readable(Settings settings, String key) {
        return settings.given(key, "a readable PEM file", text -> {
            Path file = Path.of(text);
            return Files.isReadable(file) && Files.isRegularFile(file) ? file : null;
        });
    }

    private static Retention retention(Settings settings) {
        Retention standard = Retention.standard();
        Duration hour = Duration.ofHours(1);
        Duration years = Duration.ofDays(3_660);
        return new Retention(
                settings.duration("retention_results", standard.results(), hour, years),
                settings.duration("retention_history", standard.history(), hour, years),
                settings.get(
                        "journal_max_size",
                        standard.maxBytes(),
                        "a size from 16m to 1t (512m, 1g)",
                        ConfigReader::size));
    }

    private static @Nullable Long size(String text) {
        Matcher matcher = SIZE.matcher(text);
        if (!matcher.matches()) {
            return null;
        }
        int power = "mgt".indexOf(matcher.group(2).toLowerCase(Locale.ROOT)) + 2;
        long bytes = Long.parseLong(matcher.group(1)) << (10 * power);
        return bytes < 16L << 20 || bytes > 1L << 40 ? null : bytes;
    }

    private static @Nullable InetSocketAddress address(String text) {
        int colon = text.lastIndexOf(':');
        String host = colon < 1 ? "" : text.substring(0, colon);
        boolean literal = host.matches("[0-9.]+|\\[[0-9a-fA-F:.]+]") || host.equals("localhost");
        if (!literal) {
            return null;
        }
        try {
            int port = Integer.parseInt(text.substring(colon + 1));
            return port < 0 || port > 65535 ? null : new InetSocketAddress(InetAddress.getByName(host), port);
        } catch (NumberFormatException | UnknownHostException e) {
            return null;
        }
    }

    private static Set<String> names(String text) {
        return Arrays.stream(text.split(",", -1))
                .map(String::strip)
                .filter(name -> !name.isEmpty())
                .collect(Collectors.toUnmodifiableSet());
    }

    /** Where the server keeps its own; clients on the same machine look here for its token. */
    public static Path dataDir(Map<String, String> environment) {
        return dataDir(new Settings(environment, null), environment);
    }

    private static Path dataDir(Settings settings, Map<String, String> environment) {
        String state = environment.get("XDG_STATE_HOME");
        String home = environment.getOrDefault("HOME", "/");
        Path otherwise = state == null || state.isEmpty()
                ? Path.of(home, ".local", "state", "klangk-health")
                : Path.of(state, "klangk-health");
        return settings.get("data_dir", otherwise, "a path", Path::of);
    }

    private static Path podmanSocket(Map<String, String> environment) {
        Path system = Path.of("/run/podman/podman.sock");
        String runtimeDir = environment.get("XDG_RUNTIME_DIR");
        if (runtimeDir == null || runtimeDir.isEmpty()) {
            return system;
        }
        Path own = Path.of(runtimeDir, "podman", "podman.sock");
        return Files.exists(own) || !Files.exists(system) ? own : system;
    }
}
