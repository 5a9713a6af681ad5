package org.klangk.health.transport.local;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.klangk.health.workspace.WorkspaceId;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** This machine as a host of services: directories and processes. */
final class Machine {
    /** What the process that started the server had for itself is nothing for a service. */
    private static final Pattern OURS = Pattern.compile("KLANGKD?_.*|SHLVL|_|PWD|OLDPWD");

    private static final Logger log = LoggerFactory.getLogger(Machine.class);

    private final Path directory;

    Machine(Path directory) {
        this.directory = directory;
    }

    /** When this machine began to run. */
    static Instant startedAt() {
        return ProcessHandle.of(1)
                .flatMap(first -> first.info().startInstant())
                .orElseGet(() -> Clock.systemUTC().instant());
    }

    /** What is missing to run a check or a service; null when nothing is. */
    static @Nullable String missing() {
        for (String program : List.of("bash", "setsid")) {
            if (!onPath(program)) {
                return program + " is not in the PATH";
            }
        }
        return null;
    }

    private static boolean onPath(String program) {
        String path = System.getenv("PATH");
        for (String folder : (path == null ? "/usr/bin:/bin" : path).split(File.pathSeparator, -1)) {
            if (!folder.isEmpty() && Files.isExecutable(Path.of(folder, program))) {
                return true;
            }
        }
        return false;
    }

    /** The directory that is {@code HOME} of everything in this workspace; made when it is not there. Blocks. */
    Path home(WorkspaceId id) throws IOException {
        return Files.createDirectories(
                workspace(id).resolve("home"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    }

    /** Where the output of the workspace's service goes. */
    Path log(WorkspaceId id) {
        return workspace(id).resolve("service.log");
    }

    private Path workspace(WorkspaceId id) {
        return directory.resolve(id.value());
    }

    /**
     * Starts a command in a session of its own, so that no terminal's signal reaches it. Where the script around a command is
     * killed, the end of its input still ends what it ran. Blocks.
     *
     * @param home {@code HOME}
     * @param workdir where it starts
     */
    @SuppressWarnings("FutureReturnValueIgnored") // nobody waits for it
    static Process start(List<String> command, Path home, Path workdir) throws IOException {
        List<String> words = new ArrayList<>(command.size() + 1);
        words.add("setsid");
        words.addAll(command);
        ProcessBuilder builder = new ProcessBuilder(words).directory(workdir.toFile());
        Map<String, String> environment = builder.environment();
        environment.keySet().removeIf(name -> OURS.matcher(name).matches());
        environment.put("HOME", home.toString());
        Process process = builder.start();
        process.onExit().thenRun(() -> closeInput(process));
        return process;
    }

    /** Ends the standard input of a process, which may have ended itself. */
    static void closeInput(Process process) {
        try {
            process.getOutputStream().close();
        } catch (IOException e) {
            log.debug("a process did not take the end of its input: {}", e.toString());
        }
    }
}
