package org.klangk.health.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;
import org.junit.jupiter.api.Test;

/** A server with a certificate, and clients that trust it or do not. */
class TlsIT extends CommandFixture {
    private static final String STORE_PASSWORD = "changeit";

    private static String pem(String what, byte[] bytes) {
        return "-----BEGIN " + what + "-----\n"
                + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(bytes) + "\n-----END " + what + "-----\n";
    }

    /** A certificate for this machine and its key, by the JDK's own tool. */
    private void certify(Path certificate, Path key)
            throws IOException, InterruptedException, GeneralSecurityException {
        Path store = directory().resolve("store.p12");
        int code = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-alias",
                        "server",
                        "-keyalg",
                        "EC",
                        "-dname",
                        "CN=localhost",
                        "-ext",
                        "san=ip:127.0.0.1",
                        "-validity",
                        "2",
                        "-storetype",
                        "PKCS12",
                        "-keystore",
                        store.toString(),
                        "-storepass",
                        STORE_PASSWORD)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start()
                .waitFor();
        assertThat(code).isZero();
        KeyStore made = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(store)) {
            made.load(in, STORE_PASSWORD.toCharArray());
        }
        Files.writeString(
                key,
                pem(
                        "PRIVATE KEY",
                        made.getKey("server", STORE_PASSWORD.toCharArray()).getEncoded()));
        Files.writeString(
                certificate, pem("CERTIFICATE", made.getCertificate("server").getEncoded()));
    }

    @Test
    void commands_and_streams_go_over_tls_to_whom_they_trust_and_to_nobody_else()
            throws IOException, InterruptedException, GeneralSecurityException {
        Path certificate = directory().resolve("cert.pem");
        Path key = directory().resolve("key.pem");
        certify(certificate, key);
        environment.put("KLANGK_TLS_CERT", certificate.toString());
        environment.put("KLANGK_TLS_KEY", key.toString());
        serve();
        assertThat(environment.get("KLANGK_URL")).startsWith("https://");
        Ran stranger = klangkc("ls");
        assertThat(stranger.code()).isEqualTo(ExitCode.UNREACHABLE);
        assertThat(stranger.err()).contains("is not trusted", "certification path", "--ca FILE");
        environment.put("KLANGK_CA", certificate.toString());
        assertThat(klangkc("create", "web", "--health-check", "true", "--grace", "0")
                        .code())
                .isZero();
        assertThat(klangkc("edit", "web", "--interval", "5s").code()).isZero();
        Program monitor = start("klangkc", "monitor", "--type", "service_health");
        assertThat(json(monitor.out(line -> line.startsWith("{"))).path("name").asText())
                .isEqualTo("web");
        Path broken = directory().resolve("broken.pem");
        Files.writeString(broken, "no certificate", StandardCharsets.UTF_8);
        assertThat(klangkc("ls", "--ca", broken.toString()).err()).contains("--ca " + broken);
        environment.put("KLANGK_DATA_DIR", directory().resolve("other").toString());
        environment.put("KLANGK_TLS_CERT", broken.toString());
        Ran refused = run(start("klangkd", "serve"));
        assertThat(refused.code()).isEqualTo(ExitCode.USAGE);
        assertThat(refused.err()).contains("KLANGK_TLS_CERT=" + broken);
    }
}
