package org.klangk.health.transport.podman;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A real Podman of the tests' own: its own storage, run directory and socket, so that nobody's containers are touched, and an
 * image made of what the host has. One per JVM, started when first asked for, gone with it.
 *
 * <p>With {@code -Dpodman.socket=PATH} an existing Podman is used instead, through {@code podman --url}.
 */
public final class TestPodman {
    /** The image: bash, busybox, a user {@code user} with id 1000. */
    public static final String IMAGE = "localhost/klangk-test:latest";

    private static @Nullable TestPodman instance;

    private final Path home;
    private final List<String> command = new ArrayList<>();
    private final int registryPort;
    private @Nullable Path socket;
    private @Nullable Process service;

    private TestPodman(Path home) throws IOException {
        this.home = home;
        try (ServerSocket free = new ServerSocket(0)) {
            registryPort = free.getLocalPort();
        }
    }

    /** Where a test may serve images, without TLS. */
    public int registryPort() {
        return registryPort;
    }

    /** Why there is no Podman to test with; null when there is one. */
    public static @Nullable String missing() {
        for (String program : List.of("podman", "runc", "bash-static", "busybox")) {
            if (which(program) == null) {
                return program + " is not installed";
            }
        }
        return null;
    }

    private static @Nullable Path which(String program) {
        for (String folder : "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin".split(":", -1)) {
            Path path = Path.of(folder, program);
            if (Files.isExecutable(path)) {
                return path;
            }
        }
        return null;
    }

    /** The tests' Podman, started when this is called first. */
    public static synchronized TestPodman get() {
        if (instance == null) {
            try {
                TestPodman podman = new TestPodman(Files.createTempDirectory("klangk-podman"));
                Runtime.getRuntime().addShutdownHook(new Thread(podman::close));
                podman.start();
                instance = podman;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return instance;
    }

    private void start() throws IOException {
        String given = System.getProperty("podman.socket");
        if (given != null) {
            socket = Path.of(given);
            command.addAll(List.of("podman", "--url", "unix://" + given));
        } else {
            Files.writeString(home.resolve("containers.conf"), """
                    [containers]
                    default_ulimits = ["nofile=4096:4096", "nproc=1000:1000"]
                    pids_limit = 512
                    netns = "none"
                    log_driver = "none"
                    [engine]
                    runtime = "runc"
                    cgroup_manager = "cgroupfs"
                    events_logger = "file"
                    exit_command_delay = 60
                    """);
            Files.writeString(home.resolve("registries.conf"), """
                    [[registry]]
                    location = "127.0.0.1:%d"
                    insecure = true
                    """.formatted(registryPort));
            command.addAll(
                    List.of("podman", "--root", home + "/root", "--runroot", home + "/run", "--tmpdir", home + "/tmp"));
            socket = home.resolve("podman.sock");
            startService();
        }
        importImage();
    }

    /** Starts the service and waits until it answers. */
    public void startService() {
        try {
            List<String> start = new ArrayList<>(command);
            start.addAll(List.of("system", "service", "--time=0", "unix://" + socket()));
            service = process(start)
                    .redirectErrorStream(true)
                    .redirectOutput(home.resolve("service.log").toFile())
                    .start();
            while (!Files.exists(socket())) {
                if (!service.isAlive()) {
                    throw new IllegalStateException(
                            "podman system service: " + Files.readString(home.resolve("service.log")));
                }
                service.waitFor(20, TimeUnit.MILLISECONDS);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Ends the service at once; containers go on. */
    public void killService() {
        Process running = service;
        if (running == null) {
            throw new IllegalStateException("no service of the tests' own runs");
        }
        try {
            running.destroyForcibly().waitFor();
            Files.deleteIfExists(socket());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Sends a signal such as {@code STOP} to the service. */
    public void signalService(String signal) {
        Process running = service;
        if (running == null) {
            throw new IllegalStateException("no service of the tests' own runs");
        }
        run(List.of("kill", "-" + signal, Long.toString(running.pid())));
    }

    private void importImage() throws IOException {
        Path image = home.resolve("image");
        for (String folder : List.of("bin", "etc", "home/user", "tmp", "proc", "sys", "dev", "run", "root")) {
            Files.createDirectories(image.resolve(folder));
        }
        Files.setPosixFilePermissions(image, PosixFilePermissions.fromString("rwxr-xr-x"));
        Files.copy(Path.of("/bin/bash-static"), image.resolve("bin/bash"));
        Files.copy(Path.of("/bin/busybox"), image.resolve("bin/busybox"));
        String programs =
                "sh sleep cat touch rm ls ps kill test true false id env printf echo yes grep head tail wc mkdir"
                        + " stat setsid ln mv chmod tr seq date pidof od md5sum readlink sort sed su";
        for (String program : programs.split(" ", -1)) {
            Files.createSymbolicLink(image.resolve("bin/" + program), Path.of("busybox"));
        }
        Files.writeString(
                image.resolve("etc/passwd"),
                "root:x:0:0:root:/root:/bin/bash\nuser:x:1000:1000::/home/user:/bin/bash\n");
        Files.writeString(image.resolve("etc/group"), "root:x:0:\nuser:x:1000:\n");
        run(List.of("chown", "1000:1000", image.resolve("home/user").toString()));
        run(List.of("chmod", "1777", image.resolve("tmp").toString()));
        Path tar = home.resolve("image.tar");
        run(List.of("tar", "-C", image.toString(), "-cf", tar.toString(), "."));
        cli(
                "import",
                "-c",
                "ENV PATH=/usr/local/bin:/usr/bin:/bin",
                "-c",
                "CMD [\"sleep\",\"infinity\"]",
                tar.toString(),
                IMAGE);
    }

    /** The socket of its service. */
    public Path socket() {
        Path path = socket;
        if (path == null) {
            throw new IllegalStateException("not started");
        }
        return path;
    }

    /** Runs {@code podman} with these arguments and gives back what it prints; fails when it fails. */
    public String cli(String... arguments) {
        List<String> all = new ArrayList<>(command);
        all.addAll(List.of(arguments));
        return run(all);
    }

    /** Runs {@code podman} with these arguments and gives back how it ended. */
    public int exitCode(String... arguments) {
        List<String> all = new ArrayList<>(command);
        all.addAll(List.of(arguments));
        try {
            return process(all)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start()
                    .waitFor();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Starts a container of the test image; gives back its id. */
    public String container(String name, String... options) {
        List<String> all = new ArrayList<>(command);
        all.addAll(List.of("run", "-d", "--name", name));
        all.addAll(List.of(options));
        if (!all.contains(IMAGE)) {
            all.add(IMAGE);
        }
        return run(all).strip();
    }

    /** Runs a shell command inside a container and gives back its output. */
    public String inside(String container, String shell) {
        return cli("exec", container, "bash", "-c", shell);
    }

    /** The command lines of the processes in a container, each on one line, apart from the one that looks. */
    public List<String> processes(String container) {
        return inside(
                        container,
                        "for d in /proc/[0-9]*; do [ ${d#/proc/} = $$ ] || { tr '\\0\\n' '  ' < $d/cmdline; echo; }; done 2>/dev/null")
                .lines()
                .map(String::strip)
                .filter(line -> !line.isEmpty())
                .toList();
    }

    /** Removes a container, running or not; does nothing when there is none. */
    public void remove(String name) {
        cli("rm", "-f", "-i", "-t", "0", name);
    }

    private ProcessBuilder process(List<String> words) {
        ProcessBuilder builder = new ProcessBuilder(words);
        if (System.getProperty("podman.socket") == null) {
            builder.environment()
                    .putAll(Map.of(
                            "CONTAINERS_CONF", home.resolve("containers.conf").toString(),
                            "CONTAINERS_REGISTRIES_CONF",
                                    home.resolve("registries.conf").toString()));
        }
        return builder;
    }

    private String run(List<String> words) {
        try {
            Path errors = Files.createTempFile(home, "stderr", ".txt");
            Process process = process(words).redirectError(errors.toFile()).start();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            int code = process.waitFor();
            String said = Files.readString(errors);
            Files.delete(errors);
            if (code != 0) {
                throw new IllegalStateException(
                        String.format(Locale.ROOT, "%s ended with %d: %s", String.join(" ", words), code, said));
            }
            return output;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private void close() {
        try {
            if (System.getProperty("podman.socket") == null) {
                cli("rm", "-f", "-a", "-t", "0");
                Process running = service;
                if (running != null) {
                    running.destroyForcibly().waitFor();
                }
                new ProcessBuilder("umount", home + "/root/overlay").start().waitFor();
            }
            new ProcessBuilder("rm", "-rf", home.toString()).start().waitFor();
        } catch (IOException | InterruptedException | RuntimeException e) {
            System.err.println("the tests' Podman was not cleaned up: " + e);
        }
    }
}
