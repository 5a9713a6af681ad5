package org.klangk.health.transport.podman;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.klangk.health.frame.ServiceHealth;
import org.klangk.health.service.HealthService;
import org.klangk.health.service.WorkspaceStatus;
import org.klangk.health.workspace.Source;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;

/** Containers of a real Podman that ask by their labels to be watched. */
@NeedsPodman
class LabelsIT {
    private static final Duration LONG = Duration.ofSeconds(40);
    private static final String LABELLED = "localhost/labelled:latest";

    private final TestPodman podman = TestPodman.get();
    private final HealthService health = HealthService.builder()
            .runtime(PodmanRuntime.connect(podman.socket()))
            .labels(Duration.ofHours(1))
            .build();
    private final BlockingQueue<ServiceHealth> verdicts = new LinkedBlockingQueue<>();
    private Disposable subscription = () -> {};

    @BeforeEach
    void start() {
        health.start().block(LONG);
        health.firstList().block(LONG);
        subscription = health.stream().verdicts().subscribe(verdicts::add);
    }

    @AfterEach
    void stop() {
        subscription.dispose();
        health.stop().block(LONG);
        podman.remove("gw");
        podman.remove("plain");
    }

    private ServiceHealth next() {
        try {
            ServiceHealth verdict = verdicts.poll(LONG.toSeconds(), TimeUnit.SECONDS);
            assertThat(verdict).as("a verdict came").isNotNull();
            return Objects.requireNonNull(verdict);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private List<WorkspaceStatus> all() {
        return Objects.requireNonNull(health.list().block(LONG));
    }

    private void run(String image, String check) {
        podman.cli(
                "run",
                "-d",
                "--name",
                "gw",
                "--label",
                "klangk.workspace=gateway",
                "--label",
                "klangk.health-check=" + check,
                image,
                "sleep",
                "infinity");
    }

    @Test
    void starting_one_is_enough_and_one_of_the_same_name_is_the_same_workspace() {
        run(TestPodman.IMAGE, "true");
        ServiceHealth first = next();
        assertThat(first.healthy()).isTrue();
        assertThat(first.name()).isEqualTo("gateway");
        assertThat(all())
                .singleElement()
                .satisfies(one -> assertThat(one.health().workspace().source()).isEqualTo(Source.LABEL));
        podman.remove("gw");
        ServiceHealth gone = next();
        assertThat(gone.running()).isFalse();
        run(TestPodman.IMAGE, "true");
        ServiceHealth again = next();
        assertThat(again.workspaceId()).isEqualTo(first.workspaceId());
        assertThat(again.incarnation()).isEqualTo(2);
        assertThat(again.seq()).isEqualTo(3);
    }

    @Test
    void what_an_image_says_of_itself_counts_for_nothing() {
        podman.cli("run", "-d", "--name", "plain", TestPodman.IMAGE, "sleep", "infinity");
        podman.cli(
                "commit",
                "--change",
                "LABEL klangk.workspace=trojan",
                "--change",
                "LABEL klangk.health-check=true",
                "--change",
                "LABEL klangk.health.interval=1s",
                "plain",
                LABELLED);
        podman.remove("plain");
        podman.cli("run", "-d", "--name", "plain", LABELLED, "sleep", "infinity");
        podman.cli("run", "-d", "--name", "gw", "--label", "klangk.workspace=gateway", LABELLED, "sleep", "infinity");
        List<WorkspaceStatus> there = Flux.interval(Duration.ofMillis(50))
                .onBackpressureDrop()
                .concatMap(tick -> health.list())
                .filter(all -> !all.isEmpty())
                .blockFirst(LONG);
        assertThat(there).singleElement().satisfies(one -> {
            assertThat(one.health().workspace().name()).isEqualTo("gateway");
            assertThat(one.health().workspace().healthCheck()).as("the image's").isNull();
            assertThat(one.health().workspace().policy().interval()).isEqualTo(Duration.ofSeconds(30));
        });
        podman.remove("plain");
        podman.remove("gw");
        podman.cli("rmi", "-f", LABELLED);
    }
}
