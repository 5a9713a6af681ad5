package org.klangk.health.server.demo;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A file system of bash and nothing else, made of what this machine has. Blocks. */
final class DemoImage {
    private static final Pattern LIBRARY = Pattern.compile("(/\\S+) \\(0x");
    private static final List<String> FOLDERS = List.of("bin", "root", "tmp", "proc", "sys", "dev", "run", "etc");

    private DemoImage() {}

    /**
     * As a tar archive.
     *
     * @throws IOException saying what is missing
     */
    static byte[] tar() throws IOException {
        Path image = Files.createTempDirectory("klangk-demo");
        try {
            Files.setPosixFilePermissions(image, PosixFilePermissions.fromString("rwxr-xr-x"));
            for (String folder : FOLDERS) {
                Files.createDirectories(image.resolve(folder));
            }
            Files.writeString(image.resolve("etc/passwd"), "root:x:0:0:root:/root:/bin/bash\n");
            Files.writeString(image.resolve("etc/group"), "root:x:0:\n");
            bash(image);
            return run("tar", "-C", image.toString(), "-cf", "-", ".");
        } finally {
            delete(image);
        }
    }

    private static void bash(Path image) throws IOException {
        Path fixed = Path.of("/bin/bash-static");
        if (Files.isExecutable(fixed)) {
            Files.copy(fixed, image.resolve("bin/bash"));
            return;
        }
        Path bash = Path.of("/bin/bash");
        if (!Files.isExecutable(bash)) {
            throw new IOException("the image of the demo is made of this machine's /bin/bash, which is missing");
        }
        Files.copy(bash.toRealPath(), image.resolve("bin/bash"));
        Matcher matcher = LIBRARY.matcher(new String(run("ldd", bash.toString()), StandardCharsets.UTF_8));
        while (matcher.find()) {
            Path library = Path.of(matcher.group(1));
            Path copy = image.resolve(library.toString().substring(1));
            Files.createDirectories(copy.getParent());
            Files.copy(library.toRealPath(), copy);
        }
    }

    private static byte[] run(String... command) throws IOException {
        try {
            Process process = new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            byte[] output = process.getInputStream().readAllBytes();
            if (process.waitFor() != 0) {
                throw new IOException("the image of the demo could not be made: " + command[0] + " ended with "
                        + process.exitValue());
            }
            return output;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }
}
