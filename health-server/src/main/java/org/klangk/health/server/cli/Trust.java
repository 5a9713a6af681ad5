package org.klangk.health.server.cli;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.SecureRandom;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLContextSpi;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLServerSocketFactory;
import javax.net.ssl.SSLSessionContext;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/** Whom a client trusts to be the server. */
final class Trust {
    private Trust() {}

    /**
     * Whom a client of {@code server} trusts.
     *
     * @param authority certificates to trust, null for those that the machine trusts
     * @return null for what the machine trusts
     */
    static @Nullable SSLContext of(URI server, @Nullable Path authority) {
        try {
            return authority == null || !"https".equalsIgnoreCase(server.getScheme()) ? null : trusting(authority);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this machine has no TLS", e);
        }
    }

    /** Prepares a client of {@code server} that trusts {@code trust}. */
    static void configure(HttpClient.Builder builder, URI server, @Nullable SSLContext trust) {
        if (!"https".equalsIgnoreCase(server.getScheme())) {
            // The client would read all certificates of the machine, which takes long, for a connection that has none.
            builder.sslContext(new NoTls()).sslParameters(new SSLParameters());
        } else if (trust != null) {
            builder.sslContext(trust);
        }
    }

    /** Secures nothing. */
    private static final class NoTls extends SSLContext {
        NoTls() {
            super(new Unsupported(), null, "none");
        }
    }

    private static final class Unsupported extends SSLContextSpi {
        private static UnsupportedOperationException no() {
            return new UnsupportedOperationException("this client has no TLS");
        }

        @Override
        protected void engineInit(KeyManager[] keys, TrustManager[] trust, SecureRandom random) {
            throw no();
        }

        @Override
        protected SSLSocketFactory engineGetSocketFactory() {
            throw no();
        }

        @Override
        protected SSLServerSocketFactory engineGetServerSocketFactory() {
            throw no();
        }

        @Override
        protected SSLEngine engineCreateSSLEngine() {
            throw no();
        }

        @Override
        protected SSLEngine engineCreateSSLEngine(String host, int port) {
            throw no();
        }

        @Override
        protected SSLSessionContext engineGetServerSessionContext() {
            throw no();
        }

        @Override
        protected SSLSessionContext engineGetClientSessionContext() {
            throw no();
        }
    }

    private static SSLContext trusting(Path authority) throws GeneralSecurityException {
        KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
        try (InputStream in = Files.newInputStream(authority)) {
            trusted.load(null, null);
            int count = 0;
            for (Certificate one : CertificateFactory.getInstance("X.509").generateCertificates(in)) {
                trusted.setCertificateEntry("ca" + count++, one);
            }
            if (count == 0) {
                throw new CliException(
                        ExitCode.USAGE, "--ca " + authority + ": a PEM file of certificates is accepted");
            }
        } catch (IOException | CertificateException e) {
            throw new CliException(
                    ExitCode.USAGE,
                    "--ca " + authority + ": a PEM file of certificates is accepted (" + e.getMessage() + ")");
        }
        TrustManagerFactory managers = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        managers.init(trusted);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, managers.getTrustManagers(), null);
        return context;
    }
}
