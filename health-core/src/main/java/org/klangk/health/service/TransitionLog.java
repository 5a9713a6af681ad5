package org.klangk.health.service;

import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.klangk.health.event.CheckCompleted;
import org.klangk.health.event.ClockJumped;
import org.klangk.health.event.Component;
import org.klangk.health.event.ComponentDown;
import org.klangk.health.event.ComponentUp;
import org.klangk.health.frame.LoggedFrame;
import org.klangk.health.frame.ServiceHealth;
import org.klangk.health.pipeline.Commit;
import org.klangk.health.pipeline.Step;
import org.klangk.health.pipeline.Tracked;
import org.klangk.health.state.Judgement;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The log a person reads: one line per turn of a verdict, nothing per passing check. */
final class TransitionLog {
    private static final Logger log = LoggerFactory.getLogger("org.klangk.health.transitions");

    private TransitionLog() {}

    static void write(Commit commit) {
        commit.steps().forEach(TransitionLog::write);
    }

    private static void write(Step step) {
        for (LoggedFrame frame : step.frames()) {
            if (frame instanceof ServiceHealth health) {
                verdict(health);
            }
        }
        if (step.event() instanceof ComponentDown down) {
            log.warn("the {} does not work: {}", word(down.component()), oneLine(down.message()));
        } else if (step.event() instanceof ComponentUp up) {
            log.info("the {} works", word(up.component()));
        } else if (step.event() instanceof ClockJumped jumped) {
            log.info("the clock jumped by {}; deadlines moved with it", jumped.jump());
        } else if (step.event() instanceof CheckCompleted check && step.frames().isEmpty()) {
            steady(check, step);
        }
    }

    private static void verdict(ServiceHealth health) {
        if (health.healthy()) {
            if (health.seq() > 1) {
                log.info("{} is healthy", health.name());
            } else {
                log.debug("{} is healthy", health.name());
            }
        } else if (health.running()) {
            log.info("{} is unhealthy: {}", health.name(), oneLine(health.healthMessage()));
        } else {
            log.info(
                    "{} stopped: {}",
                    health.name(),
                    health.healthMessage() == null ? "on request" : health.healthMessage());
        }
    }

    private static void steady(CheckCompleted check, Step step) {
        Tracked after = step.after();
        if (after != null && !check.result().passed() && log.isDebugEnabled()) {
            log.debug(
                    "{} still fails{}: {}",
                    after.health().workspace().name(),
                    step.judgement() == Judgement.IN_GRACE ? " in grace" : "",
                    oneLine(check.result().message()));
        }
    }

    private static String word(Component component) {
        return component.name().toLowerCase(Locale.ROOT);
    }

    private static String oneLine(@Nullable String message) {
        return message == null ? "no reason given" : message.replace('\n', ' ').replace('\t', ' ');
    }
}
