package org.klangk.health.server.bench;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;

/** CPU time of the whole machine and of this process, in milliseconds. */
record Cpu(double machine, double process, long nanos) {
    /** The kernel counts in hundredths of a second. */
    private static final double TICK = 10;

    private static final int IDLE = 3;
    private static final int WAITING = 4;

    static Cpu now() {
        try {
            String[] ticks = Files.readAllLines(Path.of("/proc/stat")).get(0).split(" +", -1);
            double busy = 0;
            for (int i = 0; i < 8; i++) {
                busy += i == IDLE || i == WAITING ? 0 : Long.parseLong(ticks[i + 1]) * TICK;
            }
            OperatingSystemMXBean system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
            return new Cpu(busy, system.getProcessCpuTime() / 1e6, System.nanoTime());
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    /** What was used since {@code before}, over so many milliseconds. */
    Cpu since(Cpu before) {
        return new Cpu(machine - before.machine, process - before.process, nanos - before.nanos);
    }

    double millis() {
        return nanos / 1e6;
    }
}
