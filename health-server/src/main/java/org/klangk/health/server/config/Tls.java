package org.klangk.health.server.config;

import java.nio.file.Path;

/**
 * What TLS is served with, both in PEM files.
 *
 * @param certificate the certificate and those that vouch for it
 * @param key its private key (PKCS #8), without a password
 */
public record Tls(Path certificate, Path key) {}
