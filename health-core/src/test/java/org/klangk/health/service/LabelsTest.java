package org.klangk.health.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.klangk.health.workspace.HealthDefaults;
import org.klangk.health.workspace.InvalidWorkspaceException;
import org.klangk.health.workspace.ProbeKind;
import org.klangk.health.workspace.Source;
import org.klangk.health.workspace.Workspace;

/** Labels as definitions. */
class LabelsTest {
    @Test
    void labels_define_a_workspace_and_what_they_leave_open_has_its_default() {
        Workspace workspace = Labels.draft(
                        "gw",
                        Map.of(
                                "klangk.workspace", "gateway",
                                "klangk.health-check", "curl -sf localhost",
                                "klangk.health.interval", "5s",
                                "klangk.health.timeout", "500ms",
                                "klangk.health.grace", "0",
                                "klangk.health.failures", "3",
                                "klangk.health.successes", "2",
                                "klangk.health.probe", "exec"))
                .orElseThrow()
                .resolve(HealthDefaults.standard());
        assertThat(workspace.name()).isEqualTo("gateway");
        assertThat(workspace.container()).isEqualTo("gw");
        assertThat(workspace.source()).isEqualTo(Source.LABEL);
        assertThat(workspace.owner()).isEqualTo("local");
        assertThat(workspace.policy().interval()).isEqualTo(Duration.ofSeconds(5));
        assertThat(workspace.policy().timeout()).isEqualTo(Duration.ofMillis(500));
        assertThat(workspace.policy().startupGrace()).isZero();
        assertThat(workspace.policy().startInterval()).isEqualTo(Duration.ofSeconds(2));
        assertThat(workspace.policy().failuresBeforeUnhealthy()).isEqualTo(3);
        assertThat(workspace.probe()).isEqualTo(ProbeKind.EXEC);
    }

    @Test
    void a_container_that_names_no_workspace_is_nobodys_business() {
        assertThat(Labels.draft("gw", Map.of("klangk.health-check", "true"))).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "klangk.user, root",
        "klangk.owner, root",
        "klangk.health.intervall, 5s",
        "klangk.health.interval, often",
        "klangk.health.failures, many",
        "klangk.health.probe, telepathy",
    })
    void what_cannot_be_accepted_is_named(String label, String value) {
        assertThatThrownBy(() -> Labels.draft("gw", Map.of("klangk.workspace", "gateway", label, value)))
                .isInstanceOf(InvalidWorkspaceException.class)
                .hasMessageContaining(label)
                .hasMessageContaining("accepted");
    }
}
