package org.klangk.health.server.demo;

import java.time.Duration;
import java.util.Locale;
import org.klangk.health.workspace.Workspace;
import org.klangk.health.workspace.WorkspaceDraft;
import org.klangk.health.workspace.WorkspaceId;

/** The services of the demo. Nothing but bash is needed to run them: a service writes how it is, its check reads that. */
enum DemoService {
    STEADY("pause 2; say ok; while pause 60; do :; done"),
    FLAKY("while say ok; pause 4; say 'too many open files'; pause 3; do :; done"),
    MORTAL("say ok; pause 6; exit 3");

    private static final String WORDS = """
            say() { echo "$1" > ~/state; }
            pause() { read -r -t "$1" <> <(:) || :; }
            say starting
            """;

    private static final String CHECK =
            "read -r state < ~/state; [ \"$state\" = ok ] || { echo \"$state\" >&2; exit 1; }";

    private final String life;

    DemoService(String life) {
        this.life = life;
    }

    /** What the service is called. */
    String title() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The same workspace each time the demo is run. */
    WorkspaceId id() {
        return new WorkspaceId("demo-" + title());
    }

    /** What runs, for bash. */
    String command() {
        return WORDS + life;
    }

    /** The workspace, but for where it runs. */
    WorkspaceDraft draft() {
        return Workspace.named(title())
                .id(id())
                .healthCheck(CHECK)
                .interval(Duration.ofSeconds(1))
                .startInterval(Duration.ofMillis(500))
                .startupGrace(Duration.ofSeconds(5));
    }
}
