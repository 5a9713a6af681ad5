package org.klangk.health.server.http;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.klangk.health.event.CheckResult;
import org.klangk.health.event.ContainerRun;
import org.klangk.health.policy.Streak;
import org.klangk.health.probe.CheckAnswer;
import org.klangk.health.service.WorkspaceStatus;
import org.klangk.health.state.Verdict;
import org.klangk.health.state.WorkspaceHealth;
import org.klangk.health.transport.wire.WireText;

/** A workspace's state in JSON: Klangk's fields first, what is additive after them. */
final class StatusJson {
    private StatusJson() {}

    static ObjectNode write(WorkspaceStatus status) {
        WorkspaceHealth health = status.health();
        Verdict verdict = health.verdict();
        ContainerRun run = health.container().run();
        CheckResult last = verdict.last();
        ObjectNode json = Exchange.JSON.createObjectNode();
        json.put("running", run != null);
        json.put("container_id", run == null ? null : run.containerId());
        json.put("health", health(verdict.healthy()));
        json.put("health_message", verdict.message());
        json.put("health_checked_at", WireText.time(verdict.checkedAt()));
        json.put("id", health.id().value());
        json.put("name", health.workspace().name());
        json.put("state", WireText.word(status.state().state()));
        json.put("reason", status.state().reason());
        json.put("since", WireText.time(status.state().since()));
        json.put("outcome", last == null ? null : WireText.word(last.outcome()));
        json.put("exit_code", last == null ? null : last.exitCode());
        json.put("age_ms", age(verdict.checkedAt(), status.now()));
        json.put("next_check_at", WireText.time(status.nextCheckAt()));
        json.put("probe", WireText.word(status.probe()));
        streak(json, verdict.streak(), health);
        json.put("incarnation", health.container().incarnation());
        json.put("service_started_at", WireText.time(health.container().serviceStartedAt()));
        json.put("grace_until", WireText.time(grace(health, status.now())));
        json.put("seq", status.told().seq());
        json.put("rev", status.told().rev());
        json.put("epoch", status.epoch());
        ObjectNode serving = json.putObject("serving_process");
        serving.put("state", "not_checked");
        for (String field :
                new String[] {"since", "last_conclusive_at", "age_ms", "detail", "reason", "next_read_at"}) {
            serving.putNull(field);
        }
        return json;
    }

    private static @Nullable String health(@Nullable Boolean healthy) {
        return healthy == null ? null : healthy ? "healthy" : "unhealthy";
    }

    private static @Nullable Long age(@Nullable Instant checkedAt, Instant now) {
        return checkedAt == null
                ? null
                : Math.max(0, Duration.between(checkedAt, now).toMillis());
    }

    /** Only while it lasts. */
    private static @Nullable Instant grace(WorkspaceHealth health, Instant now) {
        Instant until = health.graceUntil();
        return until == null || !now.isBefore(until) ? null : until;
    }

    private static void streak(ObjectNode json, Streak streak, WorkspaceHealth health) {
        if (streak.isEmpty()) {
            json.putNull("streak");
            return;
        }
        json.putObject("streak")
                .put("result", streak.passed() ? "passed" : "failed")
                .put("count", streak.count())
                .put("needed", streak.needed(health.workspace().policy()));
    }

    /** What a run that somebody asked for gave. */
    static ObjectNode write(String workspaceId, CheckAnswer answer) {
        CheckResult result = answer.result();
        ObjectNode json = Exchange.JSON.createObjectNode();
        json.put("workspace_id", workspaceId);
        json.put("outcome", result == null ? "no_result" : WireText.word(result.outcome()));
        json.put("exit_code", result == null ? null : result.exitCode());
        json.put("message", result == null ? answer.noResult() : result.message());
        json.put("counted", answer.counted());
        json.put("checked_at", WireText.time(answer.at()));
        json.put("duration_ms", answer.duration().toMillis());
        json.put("start_delay_ms", answer.startDelay().toMillis());
        json.put("survivors", answer.survivors());
        return json;
    }
}
