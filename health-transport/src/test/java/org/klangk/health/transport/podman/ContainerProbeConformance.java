package org.klangk.health.transport.podman;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.klangk.health.event.CheckOutcome;
import org.klangk.health.event.CheckResult;
import org.klangk.health.probe.Probe;
import org.klangk.health.probe.ProbeRequest;
import org.klangk.health.probe.ProbeResult;
import org.klangk.health.transport.check.ProbeConformance;
import org.klangk.health.workspace.HealthCheck;
import org.klangk.health.workspace.ProbeKind;
import org.klangk.health.workspace.WorkspaceId;

/** What every probe that reaches into containers promises. */
@NeedsPodman
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class ContainerProbeConformance extends ProbeConformance {
    final TestPodman podman = TestPodman.get();
    final String name;
    final PodmanRuntime runtime;
    final Probe probe;
    private final ProbeKind kind;
    private String container = "";

    ContainerProbeConformance(ProbeKind kind, SessionLimits limits) {
        this.kind = kind;
        name = kind.name().toLowerCase(Locale.ROOT) + "-probe";
        runtime = PodmanRuntime.connect(podman.socket(), limits);
        probe = runtime.probe(kind);
    }

    @BeforeAll
    void start() {
        container = podman.container(name, "-e", "FROM_IMAGE=yes", "-e", "klangk=no", "-e", "p=1");
    }

    @AfterAll
    void remove() {
        podman.remove(name);
        runtime.close().block(LONG);
    }

    @Override
    protected Probe probe() {
        return probe;
    }

    @Override
    protected ProbeRequest request(String command, Duration timeout) {
        return in(container, command, null, null, null, timeout);
    }

    /** A run in a container, as a user with a home in a directory. */
    static ProbeRequest in(
            String container,
            String command,
            @Nullable String user,
            @Nullable String home,
            @Nullable String workdir,
            Duration timeout) {
        return new ProbeRequest(
                new WorkspaceId("w1"), container, 1, new HealthCheck(command), user, home, workdir, timeout, LONG);
    }

    @Override
    protected List<String> leftovers() {
        return podman.processes(name).stream()
                .filter(line -> !line.equals("sleep infinity") && !line.endsWith(" klangk-session"))
                .toList();
    }

    @Override
    protected void inside(String shell) {
        podman.inside(name, shell);
    }

    @Test
    void the_environment_is_the_images_and_one_variable_of_ours() {
        String seen = message("env | grep -v '^_=' >&2; exit 1");
        assertThat(Objects.requireNonNull(seen).replace("exited 1: ", "").lines())
                .anyMatch(line -> line.matches("KLANGK_CHECK_ID=[0-9a-f]{32}"))
                .contains("FROM_IMAGE=yes", "HOME=/root", "SHLVL=1", "PATH=/usr/local/bin:/usr/bin:/bin");
    }

    /**
     * What differs, and cannot be the same: the shell is not the leader of its session, its parent is the script and not the
     * runtime, and its process numbers are others. Signals are read by the shell itself: a bash that waits for a command
     * catches SIGINT a moment after it has started it.
     */
    @ParameterizedTest
    @CsvSource(
            delimiterString = " :: ",
            value = {
                "variables :: env -0 | tr '\\0' '\\n' | grep -v ^KLANGK_CHECK_ID=",
                "what the kernel passed :: tr '\\0' '\\n' < /proc/$$/environ"
                        + " | grep -Ev '^(KLANGK_CHECK_ID|SHLVL|PWD|OLDPWD|_)=' | sort",
                "variables of the shell :: echo $SHLVL $_ $0 $- $# $PWD $OLDPWD $SHELLOPTS $BASHOPTS $IFS",
                "functions, aliases and traps :: declare -F; alias; trap; echo",
                "who :: id",
                "where :: pwd; umask; ulimit -a",
                "descriptors :: for f in /proc/$$/fd/*; do echo ${f##*/} $(readlink $f | sed 's/[0-9]*//g'); done",
                "signals :: while read -r l; do case $l in Sig[PBIC]*|Shd*) echo $l;; esac; done < /proc/$$/status",
                "privileges :: grep -E '^(Uid|Gid|Groups|Cap|NoNewPrivs|Seccomp)' /proc/$$/status",
                "limits :: cat /proc/$$/limits /proc/$$/oom_score_adj /proc/$$/cgroup",
                "group, terminal, niceness :: set -- $(cat /proc/$$/stat); [ $5 = $$ ] && echo leads; echo $7 $8 ${18} ${19}",
            })
    void the_environment_of_a_check_is_that_of_a_plain_exec(String what, String look) {
        for (String user : List.of("root", "user")) {
            String file = "/tmp/seen-by-" + user;
            String shell = "umask 022; { " + look + "; } > " + file + " 2>&1";
            String show = "cat " + file + "; rm " + file;
            String plain = podman.cli("exec", "--user", user, name, "bash", "-c", shell + "; " + show);
            assertThat(judged(in(container, shell, user, null, null, LONG)).message())
                    .isNull();
            assertThat(podman.inside(name, show))
                    .as(what + " as " + user)
                    .isEqualTo(plain)
                    .isNotEqualTo("");
        }
    }

    @Test
    void what_cannot_be_ended_is_counted() {
        podman.inside(name, "sed -i s/^root:x:/root::/ /etc/passwd; chmod 4755 /bin/busybox");
        try {
            ProbeResult result = run(in(
                    container, "su root -c 'exec sleep 66' & su root -c 'exec sleep 66'", "user", null, null, SECOND));
            assertThat(result)
                    .isInstanceOfSatisfying(
                            ProbeResult.Completed.class,
                            completed -> assertThat(completed.survivors()).isEqualTo(2));
            assertThat(leftovers()).containsExactly("sleep 66", "sleep 66");
            assertThat(judged("exit 5", LONG).message()).isEqualTo("exited 5");
        } finally {
            podman.inside(name, "for p in $(pidof sleep); do [ $p = 1 ] || kill -9 $p; done; chmod 755 /bin/busybox");
        }
    }

    @Test
    void a_check_that_fills_the_process_table_ends_at_its_deadline_and_the_next_one_runs() {
        String bombed = name + "-bombed";
        String id =
                podman.container(bombed, "--pids-limit", "40", TestPodman.IMAGE, "bash", "-c", "sleep infinity & wait");
        try {
            ProbeResult result = run(in(id, "f() { f | f & }; f; sleep 67", null, null, null, SECOND));
            assertThat(podman.processes(bombed))
                    .as("after " + result)
                    .filteredOn(line -> !line.endsWith(" klangk-session"))
                    .containsExactlyInAnyOrder("bash -c sleep infinity & wait", "sleep infinity");
            assertThat(judged(in(id, "exit 7", null, null, null, LONG)).exitCode())
                    .isEqualTo(7);
        } finally {
            podman.remove(bombed);
        }
    }

    @Test
    void a_bash_that_is_too_old_could_not_run() {
        String id = podman.container("old-bash");
        try {
            podman.inside("old-bash", """
                    mkdir -p /usr/local/bin
                    cat > /usr/local/bin/bash <<'E'
                    #!/bin/bash
                    text=${3//BASH_VERSINFO/old}
                    text=${text//'"$klangk_script"'/'"${klangk_script//BASH_VERSINFO/old}"'}
                    exec /bin/bash -p -c "old=(3 2); $text" "${@:4}"
                    E
                    chmod 755 /usr/local/bin/bash""");
            assertThat(judged(in(id, "true", null, null, null, LONG)).message())
                    .startsWith("could not run: bash ")
                    .endsWith(" is too old, 4.1 or newer is needed");
        } finally {
            podman.remove("old-bash");
        }
    }

    @Test
    void user_home_and_workdir_are_those_asked_for() {
        ProbeRequest as = in(container, "echo $(id -u) $HOME $PWD; exit 1", "user", null, "/tmp", LONG);
        assertThat(judged(as).message()).isEqualTo("exited 1: 1000 /home/user /tmp");
        ProbeRequest elsewhere = in(container, "echo $HOME; exit 1", "1000", "/data", null, LONG);
        assertThat(judged(elsewhere).message()).isEqualTo("exited 1: /data");
    }

    @Test
    void what_a_container_lacks_could_not_run() {
        assertThat(judged(in(container, "true", "nobody-here", null, null, LONG)))
                .isEqualTo(
                        new CheckResult(CheckOutcome.COULD_NOT_RUN, null, "could not run: unknown user 'nobody-here'"));
        assertThat(judged(in(container, "true", null, null, "/no/such", LONG)))
                .isEqualTo(new CheckResult(
                        CheckOutcome.COULD_NOT_RUN,
                        null,
                        "could not run: working directory '/no/such' cannot be entered"));
    }

    @Test
    void a_container_without_bash_could_not_run() {
        String id = podman.container("no-bash");
        try {
            podman.inside("no-bash", "mv /bin/bash /bin/gone; true");
            ProbeRequest request = in(id, "true", null, null, null, LONG);
            assertThat(judged(request))
                    .isEqualTo(new CheckResult(
                            CheckOutcome.COULD_NOT_RUN,
                            null,
                            "could not run: no executable bash in the container's PATH"));
            podman.cli("exec", "no-bash", "sh", "-c", "mv /bin/gone /bin/bash; chmod 644 /bin/bash");
            assertThat(judged(request))
                    .isEqualTo(new CheckResult(
                            CheckOutcome.COULD_NOT_RUN,
                            null,
                            "could not run: no executable bash in the container's PATH"));
        } finally {
            podman.remove("no-bash");
        }
    }

    @Test
    void a_container_that_is_gone_stopped_or_paused_gives_no_result() {
        String id = podman.container("comes-and-goes");
        try {
            ProbeRequest request = in(id, "true", null, null, null, LONG);
            podman.cli("pause", "comes-and-goes");
            assertThat(run(request)).isInstanceOf(ProbeResult.NoResult.class);
            podman.cli("unpause", "comes-and-goes");
            podman.cli("kill", "comes-and-goes");
            podman.cli("wait", "comes-and-goes");
            assertThat(run(request)).isInstanceOf(ProbeResult.NoResult.class);
            podman.remove("comes-and-goes");
            assertThat(run(request)).isInstanceOf(ProbeResult.NoResult.class);
        } finally {
            podman.remove("comes-and-goes");
        }
    }

    @Test
    void a_container_that_dies_during_its_check_gives_no_result() {
        String id = podman.container("dies");
        try {
            ProbeRequest request = in(id, "touch /tmp/on; sleep 5; exit 0", null, null, null, LONG);
            ProbeResult result = probe.run(request)
                    .doOnSubscribe(on -> reactor.core.scheduler.Schedulers.boundedElastic()
                            .schedule(() -> {
                                podman.inside("dies", "while [ ! -e /tmp/on ]; do sleep 0.05; done");
                                podman.cli("kill", "dies");
                            }))
                    .block(LONG);
            assertThat(result).isInstanceOf(ProbeResult.NoResult.class);
        } finally {
            podman.remove("dies");
        }
    }

    @Test
    void a_podman_that_is_not_there_gives_no_result() {
        PodmanRuntime nowhere = PodmanRuntime.connect(podman.socket().resolveSibling("no.sock"));
        ProbeResult result = nowhere.probe(kind).run(request("true", LONG)).block(LONG);
        assertThat(result)
                .isInstanceOfSatisfying(
                        ProbeResult.NoResult.class,
                        none -> assertThat(none.runtimeDown()).isTrue());
        nowhere.close().block(LONG);
    }
}
