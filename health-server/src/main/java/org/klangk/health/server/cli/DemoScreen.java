package org.klangk.health.server.cli;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import java.net.InetSocketAddress;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import org.klangk.health.server.demo.Demo;
import org.klangk.health.service.HealthService;
import org.klangk.health.transport.wire.FrameJson;
import org.slf4j.LoggerFactory;

/** What somebody who runs the demo sees: what to type next, and every frame as it comes. */
final class DemoScreen {
    private static final Duration START = Duration.ofSeconds(60);
    private static final int DEFAULT_PORT = 8997;

    private DemoScreen() {}

    static Demo start(Demo demo, HealthService health, InetSocketAddress address) {
        try {
            demo.start().block(START);
        } catch (RuntimeException e) {
            demo.stop().block(START);
            throw new CliException(
                    ExitCode.UNREACHABLE,
                    "the demo cannot run here: " + Connection.describe(e)
                            + "\nKLANGK_RUNTIME=local runs it without containers.");
        }
        System.out.println(next(address));
        // What the log would say of a transition, the frame below says.
        ((Logger) LoggerFactory.getLogger("org.klangk.health.transitions")).setLevel(Level.OFF);
        health.stream()
                .verdicts()
                .subscribe(frame ->
                        System.out.println(FrameText.of(new String(FrameJson.encode(frame), StandardCharsets.UTF_8))));
        return demo;
    }

    private static String next(InetSocketAddress address) {
        String options = address.getPort() == DEFAULT_PORT ? "" : " --server http://" + ServeCommand.text(address);
        String client = client();
        return """

                Three services are watched: steady becomes healthy, flaky comes and goes, mortal dies and is started again.
                In another terminal:

                  %1$s ls -w%2$s
                  %1$s status flaky%2$s
                  %1$s monitor%2$s

                What is told of them:
                """.formatted(client, options);
    }

    /** The client beside this program, as somebody would type it from here. */
    private static String client() {
        try {
            Path here = Path.of("").toAbsolutePath();
            Path jar = Path.of(DemoScreen.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI());
            Path client = jar.resolveSibling("klangkc");
            return client.startsWith(here) ? here.relativize(client).toString() : client.toString();
        } catch (URISyntaxException e) {
            return "klangkc";
        }
    }
}
