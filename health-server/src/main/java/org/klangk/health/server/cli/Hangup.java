package org.klangk.health.server.cli;

import java.lang.reflect.Proxy;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** SIGHUP, which means "read your configuration again". The JDK has no public interface for it, only one that everybody uses. */
final class Hangup {
    private static final Logger log = LoggerFactory.getLogger(Hangup.class);

    private Hangup() {}

    /** Runs {@code action} at each SIGHUP from now on, where this JDK can do that. */
    static void handle(Runnable action) {
        try {
            Class<?> signal = Class.forName("sun.misc.Signal");
            Class<?> handler = Class.forName("sun.misc.SignalHandler");
            Object running = Proxy.newProxyInstance(
                    handler.getClassLoader(), new Class<?>[] {handler}, (self, method, given) -> {
                        if (method.getName().equals("handle")) {
                            action.run();
                        }
                        return null;
                    });
            signal.getMethod("handle", signal, handler)
                    .invoke(null, signal.getConstructor(String.class).newInstance("HUP"), running);
        } catch (ReflectiveOperationException | IllegalArgumentException e) {
            log.warn("SIGHUP is not heard: {}", e.toString());
        }
    }
}
