package org.klangk.health.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Every command as a process, against a server with users whose services are processes of this machine. */
class CommandsIT extends CommandFixture {
    @BeforeEach
    void serveUsers() {
        environment.put("KLANGK_AUTH", "password");
        assertThat(klangkd(PASSWORD, "user", "add", "root", "--admin").code()).isZero();
        assertThat(klangkd(PASSWORD, "user", "add", "alice").code()).isZero();
        serve();
    }

    private void login(String user) {
        Ran ran = run(start("klangkc", "login", user).say(PASSWORD));
        assertThat(ran.code()).as(ran.err()).isZero();
    }

    @Test
    void a_person_logs_in_makes_a_workspace_watches_it_and_logs_out() throws IOException {
        Ran refused = klangkc("ls");
        assertThat(refused.code()).isEqualTo(ExitCode.NOT_ALLOWED);
        Ran wrong = run(start("klangkc", "login", "root").say("wrong horse"));
        assertThat(wrong.code()).isEqualTo(ExitCode.NOT_ALLOWED);
        assertThat(wrong.err()).contains("wrong identifier or password").doesNotContain("wrong horse");
        login("root");
        Path credentials = directory().resolve("home/.config/klangk-health/credentials.json");
        assertThat(Files.getPosixFilePermissions(credentials)).isEqualTo(PosixFilePermissions.fromString("rw-------"));
        assertThat(Files.readString(credentials)).doesNotContain(PASSWORD);

        Path ok = directory().resolve("ok");
        Ran made = klangkc(
                "create",
                "web",
                "--interval",
                "1s",
                "--grace",
                "0",
                "--health-check",
                "test -e '" + ok + "' || { echo not yet >&2; exit 3; }");
        assertThat(made.code()).as(made.err()).isZero();
        Ran late = klangkc("wait", "web", "--for", "healthy", "--timeout", "2s");
        assertThat(late.code()).isEqualTo(ExitCode.UNHEALTHY);
        assertThat(late.err()).contains("was not healthy within 2s");
        Program waiting = start("klangkc", "wait", "web");
        Files.createFile(ok);
        assertThat(waiting.exitCode()).isZero();
        assertThat(json(waiting.output()).path("state").asText()).isEqualTo("healthy");

        Ran status = klangkc("status", "web", "-o", "wide");
        assertThat(status.out()).startsWith("web  healthy").contains("last check", "next check", "probe");
        Ran dry = klangkc("check", "web", "--dry-run", "--command", "echo password=hunter2 >&2; exit 9");
        assertThat(dry.code()).isEqualTo(ExitCode.UNHEALTHY);
        assertThat(json(dry.out()).path("message").asText()).isEqualTo("exited 9: password=***");
        assertThat(klangkc("status", "web").code()).as("nothing came of it").isZero();
        assertThat(klangkc("check", "web").code()).isZero();
        assertThat(klangkc("check", "web", "--command", "true").code()).isEqualTo(ExitCode.USAGE);

        Ran events = klangkc("events", "web", "--kind", "definition,transition", "-o", "wide");
        assertThat(events.out().lines().map(line -> line.replaceFirst("^\\S+ +", "")))
                .contains("defined by root", "unhealthy -> healthy");
        assertThat(klangkc("events", "web", "--kind", "rumour").code()).isEqualTo(ExitCode.USAGE);
        assertThat(klangkc("edit", "web", "--health-check", "", "--member", "alice")
                        .code())
                .isZero();
        assertThat(klangkc("status", "web").code()).isEqualTo(ExitCode.NOTHING_TO_JUDGE);

        assertThat(klangkc("logout").err()).contains("logged out");
        assertThat(klangkc("ls").code()).isEqualTo(ExitCode.NOT_ALLOWED);
        assertThat(klangkc("logout").err()).contains("not logged in");
    }

    @Test
    void a_member_sees_what_is_shared_and_may_not_run_commands_on_the_servers_machine() {
        login("root");
        klangkc("create", "shared", "--health-check", "true", "--member", "alice");
        klangkc("create", "hidden", "--health-check", "true");
        login("alice");
        assertThat(klangkc("ls", "-o", "name").out()).isEqualTo("shared");
        assertThat(klangkc("status", "hidden").err()).contains("no workspace 'hidden'");
        assertThat(klangkc("edit", "shared", "--interval", "5s").code()).isEqualTo(ExitCode.NOT_ALLOWED);
        Ran own = klangkc("create", "own", "--health-check", "touch /tmp/pwned");
        assertThat(own.code()).isEqualTo(ExitCode.NOT_ALLOWED);
        assertThat(own.err()).contains("health_check: only an administrator");
        assertThat(klangkc("check", "shared", "--dry-run", "--command", "id").code())
                .isEqualTo(ExitCode.NOT_ALLOWED);
    }

    @Test
    void a_token_watches_until_it_is_revoked() {
        login("root");
        klangkc("create", "web", "--health-check", "true", "--grace", "0");
        Ran token = klangkd("", "token", "create", "root", "--label", "pager", "--read-only", "--workspace", "web");
        assertThat(token.code()).as(token.err()).isZero();
        assertThat(token.out()).matches("[0-9a-f]{64}");
        String id = klangkd("", "token", "ls").out().split("  ", 2)[0];
        environment.put("KLANGK_TOKEN", token.out());
        Program monitor = start("klangkc", "monitor", "--type", "service_health");
        assertThat(json(monitor.out(line -> line.startsWith("{"))).path("name").asText())
                .isEqualTo("web");
        assertThat(klangkc("rm", "web").code()).isEqualTo(ExitCode.NOT_ALLOWED);
        assertThat(klangkd("", "token", "revoke", id).code()).isZero();
        assertThat(monitor.exitCode()).isEqualTo(ExitCode.NOT_ALLOWED);
        assertThat(monitor.errors()).contains("4001");
        assertThat(klangkd("", "token", "revoke", id).err()).contains("no token");
    }

    @Test
    void what_was_typed_wrong_is_named() {
        assertThat(klangkc("wait", "web", "--for", "happiness").err()).contains("--for happiness");
        assertThat(klangkc("monitor", "--max-delay", "soon").err()).contains("--max-delay soon");
        assertThat(klangkc("monitor", "--retry", "-1").err()).contains("--retry -1");
        assertThat(klangkc("ls", "--server", "localhost").code()).isEqualTo(ExitCode.USAGE);
        assertThat(klangkc("ls", "--server", "http://127.0.0.1:1").code()).isEqualTo(ExitCode.UNREACHABLE);
        assertThat(klangkd("short", "user", "add", "bob").err()).contains("at least 8 characters");
        assertThat(klangkd("", "user", "rm", "nobody").code()).isEqualTo(ExitCode.USAGE);
        assertThat(klangkc("generate-completion").out()).contains("complete");
        assertThat(klangkc("--help").out()).contains("wait", "events", "login", "monitor");
    }
}
