package org.klangk.health.server.config;

import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.klangk.health.transport.journal.Retention;
import org.klangk.health.workspace.HealthDefaults;

/**
 * All settings of a server.
 *
 * @param listen where it listens
 * @param hosts names, besides its addresses, by which it may be asked
 * @param dataDir its private directory
 * @param runtime what runs the services; null lets the server look whether a Podman answers
 * @param podmanSocket Podman's Unix socket
 * @param auth how callers prove who they are
 * @param defaults what a definition means where it is silent
 * @param retention how long the past is kept
 * @param limits what one user may have
 * @param tls what TLS is served with, null where it is not
 * @param labels how long a container that asked by its labels to be watched may be gone before that ends; null where labels are not
 *     looked at
 * @param workspaces a file of workspaces, null where there is none
 * @param autoStart whether services of workspaces with {@code auto_start} are started with the server
 * @param maxConcurrent checks that may be starting at once; one per core unless told otherwise
 */
public record ServerConfig(
        InetSocketAddress listen,
        Set<String> hosts,
        Path dataDir,
        @Nullable RuntimeKind runtime,
        Path podmanSocket,
        AuthMode auth,
        HealthDefaults defaults,
        Retention retention,
        Limits limits,
        @Nullable Tls tls,
        @Nullable Duration labels,
        @Nullable Path workspaces,
        boolean autoStart,
        int maxConcurrent) {

    /** The same once it is known what runs the services. */
    public ServerConfig with(RuntimeKind chosen) {
        return new ServerConfig(
                listen,
                hosts,
                dataDir,
                chosen,
                podmanSocket,
                auth,
                defaults,
                retention,
                limits,
                tls,
                labels,
                workspaces,
                autoStart,
                maxConcurrent);
    }
}
