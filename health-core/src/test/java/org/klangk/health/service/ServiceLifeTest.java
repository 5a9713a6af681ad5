package org.klangk.health.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.klangk.health.event.StopCause;
import org.klangk.health.runtime.RefusedException;
import org.klangk.health.state.WorkspaceHealth;
import org.klangk.health.testing.ScriptedRuntime;
import org.klangk.health.workspace.InvalidWorkspaceException;
import org.klangk.health.workspace.Workspace;
import org.klangk.health.workspace.WorkspaceDraft;
import org.klangk.health.workspace.WorkspaceId;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/** The containers and services that a service starts itself, by a clock that the test turns. */
class ServiceLifeTest extends ServiceFixture {
    @BeforeEach
    void serve() {
        runtime.serving(workspace -> Mono.just(true));
    }

    private WorkspaceHealth known() {
        return get(health.current(ID)).health();
    }

    private static WorkspaceDraft gateway() {
        return Workspace.named("gateway").id(ID).container("gw").serviceCommand("serve");
    }

    @Test
    void a_service_is_started_once_in_each_run_and_its_launch_anchors_the_grace() {
        get(health.define(gateway().healthCheck("true").startupGrace(Duration.ofSeconds(5))));
        runtime.answer(request -> Mono.just(ScriptedRuntime.failed()));
        assertThat(runtime.served()).isEmpty();
        runtime.start("gw", now());
        run(Duration.ZERO);
        assertThat(runtime.served()).hasSize(1);
        assertThat(known().container().serviceStartedAt()).isEqualTo(now());
        assertThat(known().graceUntil()).isEqualTo(now().plusSeconds(5));
        run(Duration.ofMinutes(1));
        get(health.change(ID, draft -> draft.interval(Duration.ofSeconds(9))));
        run(Duration.ofMinutes(1));
        assertThat(runtime.served()).hasSize(1);
        runtime.die("gw", StopCause.exited(1), now());
        runtime.start("gw", now());
        run(Duration.ZERO);
        assertThat(runtime.served()).hasSize(2).doesNotHaveDuplicates();
    }

    @Test
    void one_that_was_edited_is_started_in_the_run_that_goes_on() {
        runtime.start("gw", now());
        get(health.define(gateway()));
        Instant first = now();
        run(Duration.ofSeconds(20));
        get(health.change(ID, draft -> draft.serviceCommand("serve --loud")));
        assertThat(runtime.served()).hasSize(2).containsOnly(runtime.served().get(0));
        assertThat(known().container().serviceStartedAt()).isEqualTo(now()).isNotEqualTo(first);
        runtime.serving(workspace -> Mono.just(false));
        run(Duration.ofSeconds(20));
        get(health.launch(ID));
        assertThat(runtime.served()).hasSize(3);
        assertThat(known().container().serviceStartedAt()).as("it ran").isEqualTo(now().minusSeconds(20));
    }

    @Test
    void a_container_that_is_made_anew_is_served_once() {
        runtime.launching(workspace -> Mono.fromRunnable(() -> runtime.start("klangk-gateway", now())));
        get(health.define(gateway().container(null).image("debian")));
        assertThat(runtime.served()).hasSize(1);
        get(health.change(ID, draft -> draft.serviceCommand("serve --loud")));
        assertThat(runtime.served()).hasSize(2).doesNotHaveDuplicates();
    }

    @Test
    void what_is_not_known_to_have_started_is_tried_again_and_what_was_refused_is_not() {
        runtime.serving(workspace -> Mono.error(new IOException("no answer")));
        runtime.start("gw", now());
        get(health.define(gateway()));
        run(Duration.ofMinutes(5));
        assertThat(runtime.served()).as("once, and five times more").hasSize(6);
        assertThat(known().container().serviceStartedAt()).isNull();
        runtime.serving(workspace -> Mono.error(new RefusedException("no bash")));
        get(health.launch(ID));
        run(Duration.ofMinutes(5));
        assertThat(runtime.served()).hasSize(7);
        runtime.serving(workspace -> Mono.just(true));
        get(health.launch(ID));
        assertThat(known().container().serviceStartedAt()).isEqualTo(now());
    }

    @Test
    void a_start_of_which_nothing_is_heard_holds_up_others_for_half_a_minute() {
        runtime.serving(workspace -> workspace.id().equals(ID) ? Mono.never() : Mono.just(true));
        runtime.start("gw", now());
        get(health.define(gateway()));
        WorkspaceId same = new WorkspaceId("w5");
        get(health.define(gateway().name("other").id(same)));
        runSeconds(29);
        assertThat(runtime.served()).as("both are in one lane").hasSize(1);
        runSeconds(2);
        assertThat(get(health.current(same)).health().container().serviceStartedAt())
                .isNotNull();
        runtime.serving(workspace -> Mono.just(false));
        runSeconds(40);
        assertThat(known().container().serviceStartedAt()).as("tried again").isNotNull();
    }

    @Test
    void an_answer_of_a_run_that_is_over_starts_nothing() {
        Sinks.One<Boolean> answer = Sinks.one();
        runtime.serving(workspace -> answer.asMono());
        runtime.start("gw", now());
        get(health.define(gateway()));
        runtime.die("gw", StopCause.exited(1), now());
        runtime.start("gw", now());
        run(Duration.ZERO);
        assertThat(runtime.served()).as("the second waits for the first").hasSize(1);
        runtime.serving(workspace -> Mono.never());
        answer.tryEmitValue(true).orThrow();
        run(Duration.ZERO);
        assertThat(runtime.served()).hasSize(2);
        assertThat(known().container().serviceStartedAt()).isNull();
    }

    @Test
    void a_frozen_container_is_served_when_it_goes_on() {
        runtime.serving(workspace -> Mono.error(new RefusedException("paused")));
        runtime.start("gw", now());
        get(health.define(gateway()));
        runtime.pause("gw", true);
        run(Duration.ZERO);
        runtime.serving(workspace -> Mono.just(true));
        runtime.pause("gw", false);
        run(Duration.ZERO);
        assertThat(known().container().serviceStartedAt()).isEqualTo(now());
        runtime.pause("gw", true);
        runtime.pause("gw", false);
        run(Duration.ZERO);
        assertThat(runtime.served()).hasSize(2);
    }

    @Test
    void a_definition_is_brought_to_its_end_though_nobody_waits_for_it() {
        Sinks.Empty<Void> made = Sinks.empty();
        runtime.launching(workspace -> made.asMono());
        Disposable waiting =
                health.define(gateway().container(null).image("debian")).subscribe();
        run(Duration.ZERO);
        waiting.dispose();
        runtime.start("klangk-gateway", now());
        made.tryEmitEmpty().orThrow();
        run(Duration.ZERO);
        assertThat(known().container().running()).isTrue();
    }

    @Test
    void a_workspace_whose_container_cannot_be_made_is_not_there() {
        runtime.launching(workspace -> Mono.error(new RefusedException("no such image")));
        assertThatThrownBy(() -> get(health.define(gateway().container(null).image("debian"))))
                .isInstanceOf(RefusedException.class)
                .hasMessageContaining("no such image");
        assertThat(get(health.list())).isEmpty();
    }

    private Workspace made(String id, String name, String owner) {
        return get(health.define(
                Workspace.named(name).id(new WorkspaceId(id)).owner(owner).image("docker.io/library/debian:12")));
    }

    @Test
    void a_container_that_is_made_has_a_name_of_its_own_and_keeps_it() {
        assertThat(made("w1", "bot", "ada").container()).isEqualTo("klangk-bot");
        assertThat(made("w2", "bot", "bob").container()).as("taken").isEqualTo("klangk-bot-w2");
        assertThat(made("w3", "my bot", "ada").container()).as("not for names").isEqualTo("klangk-my-bot-w3");
        assertThat(made("w4", "my-bot", "ada").container()).isEqualTo("klangk-my-bot");
        Workspace renamed = get(health.change(ID, draft -> draft.name("robot").home("/data")));
        assertThat(renamed.container()).isEqualTo("klangk-bot");
        assertThat(renamed.home()).isEqualTo("/data");
        assertThat(get(health.change(ID, draft -> draft.home(null))).home()).isEqualTo("/home/klangk");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "gw | debian | container is 'gw'; either an existing one or an image is accepted",
                "   | -x     | image is '-x'; an image's name such as docker.io/library/debian:12 is accepted",
                "   | a b    | image is 'a b'; an image's name such as docker.io/library/debian:12 is accepted",
            })
    void what_cannot_be_made_is_named(String container, String image, String why) {
        WorkspaceDraft draft = Workspace.named("bot").container(container).image(image);
        assertThatThrownBy(() -> get(health.define(draft)))
                .isInstanceOf(InvalidWorkspaceException.class)
                .hasMessageContaining(why);
    }

    @Test
    void a_container_stays_what_it_is_somebodys_or_made() {
        made("w1", "bot", "ada");
        assertThatThrownBy(() -> get(health.change(ID, draft -> draft.container("gw"))))
                .hasMessageContaining("container is 'gw'");
        assertThatThrownBy(() -> get(health.change(ID, draft -> draft.image(null))))
                .hasMessageContaining("image is missing");
        WorkspaceId other = new WorkspaceId("w2");
        get(health.define(gateway().id(other)));
        assertThatThrownBy(() -> get(health.change(other, draft -> draft.image("debian"))))
                .hasMessageContaining("container is 'gw'");
        assertThat(get(health.change(ID, draft -> draft.image("alpine"))).image())
                .isEqualTo("alpine");
    }
}
