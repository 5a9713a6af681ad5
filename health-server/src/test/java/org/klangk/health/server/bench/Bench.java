package org.klangk.health.server.bench;

import java.util.Arrays;
import java.util.Locale;

/** Starts the benchmarks: {@code mvn -q -Pbench -DskipTests package -Dbench="NAME …"}. */
public final class Bench {
    private static final String HELP = """
            fold              folding results at 1,000, 10,000 and 100,000 workspaces, beside a bare loop
            fanout            one log to 1, 100 and 1,000 subscribers in this process, beside an array of counters
            sockets [COUNT]   one log to COUNT WebSockets (1,000), beside raw bytes on plain sockets
            probe [WHAT]      checks in real containers: compare; soak [RATE [SECONDS [CONTAINERS]]]; hostile [COUNT];
                              workspaces [COUNT [SECONDS]]; killed [EVERY_SECONDS [SECONDS]]
            journal WHAT DIR  the durable journal: make DIR [WORKSPACES [ROUNDS]], then open DIR and resume DIR [FRAMES];
                              month DIR [WORKSPACES [DAYS]]; latency DIR [RATE [SECONDS]]
            memory            heap per idle workspace and per idle connection
            """;

    private Bench() {}

    /** Runs one of them. */
    public static void main(String[] arguments) throws Exception {
        String[] rest = arguments.length == 0 ? arguments : Arrays.copyOfRange(arguments, 1, arguments.length);
        switch (arguments.length == 0 ? "help" : arguments[0]) {
            case "fold" -> jmh(FoldBenchmark.class, rest);
            case "fanout" -> jmh(FanOutBenchmark.class, rest);
            case "sockets" -> SocketBench.run(rest.length == 0 ? 1000 : Integer.parseInt(rest[0]));
            case "probe" -> ProbeBench.run(rest);
            case "journal" -> JournalBench.run(rest);
            case "memory" -> MemoryBench.run();
            default -> System.out.println(HELP);
        }
    }

    private static void jmh(Class<?> benchmark, String[] options) throws Exception {
        String[] all = Arrays.copyOf(options, options.length + 1);
        all[options.length] = benchmark.getSimpleName();
        org.openjdk.jmh.Main.main(all);
    }

    static void line(String format, Object... values) {
        System.out.println(String.format(Locale.ROOT, format, values));
    }
}
